package typescript

// intakePlan is a batch pipeline: files are read, checked, written to a database, and reported on.
func intakePlan() plan {
	return plan{
		folder: "intake",
		path:   func(e entity) string { return e.Kebab },
		base: []part{
			{"README.md", "intake_readme"},
			{"package.json", "intake_package"},
			{"src/core.ts", "core"},
			{"src/guard.ts", "guard"},
			{"src/steps/%s.ts", "step"},
			{"src/reports/%s.ts", "summary"},
			{"tests/%s.test.ts", "step_test"},
		},
		shared: []part{
			{"tsconfig.json", "intake_tsconfig"},
			{"src/runs.ts", "runs"},
			{"src/tickets.ts", "tickets"},
			{"src/outbox.ts", "outbox"},
			{"tests/guard.test.ts", "guard_test"},
		},
		more: []part{
			{"src/sinks/%s.ts", "sink"},
			{"src/checks/%s.ts", "quality"},
			{"src/feeds/%s.ts", "feed"},
			{"tests/%s.quality.test.ts", "quality_test"},
		},
	}
}
