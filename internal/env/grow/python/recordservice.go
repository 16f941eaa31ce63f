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
		entity: []unit{
			{name: "store", path: "<pkg>/stores/<e>.py"},
			{name: "service", path: "<pkg>/services/<e>.py"},
			{name: "test_service", path: "tests/test_<e>.py"},
		},
	}
}
