package python

// recordService is a service in layers: a store with SQL, a service with the rules, a handler for requests.
func recordService() design {
	return design{
		core: []unit{
			{name: "readme", path: "README.md"},
			{name: "init", path: "<pkg>/__init__.py"},
			{name: "database", path: "<pkg>/database.py"},
			{name: "security", path: "<pkg>/security.py"},
			{name: "store", path: "<pkg>/stores/<e>.py"},
			{name: "service", path: "<pkg>/services/<e>.py"},
			{name: "test_service", path: "tests/test_<e>.py"},
		},
		shared: []unit{
			{name: "files", path: "<pkg>/files.py"},
			{name: "cache", path: "<pkg>/cache.py"},
			{name: "web", path: "<pkg>/web.py"},
			{name: "markup", path: "<pkg>/markup.py"},
			{name: "test_security", path: "tests/test_security.py"},
			{name: "audit", path: "<pkg>/audit.py"},
			{name: "jobs", path: "<pkg>/jobs.py"},
			{name: "limits", path: "<pkg>/limits.py"},
			{name: "test_files", path: "tests/test_files.py"},
			{name: "config", path: "<pkg>/config.py"},
			{name: "retry", path: "<pkg>/retry.py"},
			{name: "test_shared", path: "tests/test_plumbing.py"},
			{name: "money", path: "<pkg>/money.py"},
			{name: "mailer", path: "<pkg>/mailer.py"},
			{name: "metrics", path: "<pkg>/metrics.py"},
		},
		entity: []unit{
			{name: "store", path: "<pkg>/stores/<e>.py"},
			{name: "service", path: "<pkg>/services/<e>.py"},
			{name: "test_service", path: "tests/test_<e>.py"},
		},
		optional: []unit{
			{name: "rules", path: "<pkg>/rules/<e>.py"},
			{name: "wire", path: "<pkg>/wire/<e>.py"},
			{name: "handler", path: "<pkg>/handlers/<e>.py", needs: []string{"web"}},
			{name: "view", path: "<pkg>/views/<e>.py", needs: []string{"markup"}},
			{name: "export", path: "<pkg>/exports/<e>.py", needs: []string{"files"}},
			{name: "lookup", path: "<pkg>/lookups/<e>.py", needs: []string{"cache"}},
			{name: "job", path: "<pkg>/jobs_for/<e>.py", needs: []string{"jobs"}},
			{name: "search", path: "<pkg>/searches/<e>.py"},
			{name: "loader", path: "<pkg>/loaders/<e>.py", needs: []string{"files"}},
			{name: "test_wire", path: "tests/wire/test_<e>_wire.py", needs: []string{"wire"}},
			{name: "test_rules", path: "tests/rules/test_<e>_rules.py", needs: []string{"rules"}},
		},
	}
}
