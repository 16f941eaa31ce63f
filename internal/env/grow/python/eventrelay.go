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
		shared: []unit{
			{name: "bus", path: "src/<pkg>/bus.py"},
			{name: "outbox", path: "src/<pkg>/outbox.py"},
			{name: "depot", path: "src/<pkg>/depot.py"},
			{name: "check_parts", path: "checks/test_parts.py"},
			{name: "options", path: "src/<pkg>/options.py"},
			{name: "backoff", path: "src/<pkg>/backoff.py"},
			{name: "registry", path: "src/<pkg>/registry.py"},
			{name: "leases", path: "src/<pkg>/watermarks.py"},
			{name: "check_more", path: "checks/test_more_parts.py"},
		},
		entity: []unit{
			{name: "board", path: "src/<pkg>/boards/<e>_board.py"},
			{name: "plugin", path: "src/<pkg>/plugins/on_<e>.py"},
			{name: "check", path: "checks/test_<e>_flow.py"},
		},
		optional: []unit{
			{name: "feed", path: "src/<pkg>/feeds/<e>_feed.py"},
			{name: "rollup", path: "src/<pkg>/rollups/<e>_rollup.py"},
			{name: "alarm", path: "src/<pkg>/alarms/<e>_alarm.py"},
			{name: "codec", path: "src/<pkg>/codecs/<e>_codec.py"},
			{name: "backup", path: "src/<pkg>/backups/<e>_backup.py"},
			{name: "desk", path: "src/<pkg>/desks/<e>_desk.py", needs: []string{"bus"}},
			{name: "check_codec", path: "checks/codecs/test_<e>_codec.py", needs: []string{"codec"}},
			{name: "check_rollup", path: "checks/rollups/test_<e>_rollup.py", needs: []string{"rollup"}},
		},
	}
}
