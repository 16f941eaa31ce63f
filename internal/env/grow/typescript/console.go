package typescript

// consolePlan is a command-line tool: commands over readings, with a cache and a scheduler, in classes with private
// fields.
func consolePlan() plan {
	return plan{
		folder: "console",
		path:   func(e entity) string { return e.Snake },
		base: []part{
			{"README.md", "console_readme"},
			{"package.json", "console_package"},
			{"app/kit.ts", "kit"},
			{"app/cache.ts", "cache"},
			{"app/scheduler.ts", "scheduler"},
			{"app/commands/%s.ts", "command"},
			{"test/%s.test.ts", "command_test"},
		},
		shared: []part{
			{"tsconfig.json", "console_tsconfig"},
			{"app/vault.ts", "safe"},
			{"app/remote.ts", "remote"},
			{"app/version.ts", "version"},
			{"test/kit.test.ts", "kit_test"},
		},
		more: []part{
			{"app/trends/%s.ts", "trend"},
			{"app/exports/%s.ts", "dump"},
			{"app/sync/%s.ts", "sync"},
			{"test/%s.trend.test.ts", "trend_test"},
		},
	}
}
