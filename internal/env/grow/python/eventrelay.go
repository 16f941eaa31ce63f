package python

// eventRelay takes signed events in, hands them to plugins and keeps boards of what they said.
func eventRelay() design {
	return design{
		core: []unit{
			{name: "readme", path: "README.md"},
			{name: "package", path: "src/<pkg>/__init__.py"},
			{name: "gate", path: "src/<pkg>/gate.py"},
			{name: "spool", path: "src/<pkg>/spool.py"},
			{name: "board", path: "src/<pkg>/boards/<e>_board.py"},
			{name: "plugin", path: "src/<pkg>/plugins/on_<e>.py"},
			{name: "check", path: "checks/test_<e>_flow.py"},
		},
		entity: []unit{
			{name: "board", path: "src/<pkg>/boards/<e>_board.py"},
			{name: "plugin", path: "src/<pkg>/plugins/on_<e>.py"},
			{name: "check", path: "checks/test_<e>_flow.py"},
		},
		optional: []unit{
			{name: "feed", path: "src/<pkg>/feeds/<e>_feed.py"},
			{name: "rollup", path: "src/<pkg>/rollups/<e>_rollup.py"},
		},
	}
}
