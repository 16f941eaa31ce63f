package typescript

// recordPlan is a layered service: a store over SQL, a service with the rules, routes and pages on top.
func recordPlan() plan {
	return plan{
		folder: "record",
		path:   func(e entity) string { return e.Kebab },
		base: []part{
			{"README.md", "readme"},
			{"package.json", "package"},
			{"src/support/security.ts", "security"},
			{"src/support/platform.ts", "platform"},
			{"src/%s/store.ts", "store"},
			{"src/%s/service.ts", "service"},
			{"test/%s/service.test.ts", "service_test"},
		},
		shared: []part{
			{"tsconfig.json", "tsconfig"},
			{"src/support/http.ts", "http"},
			{"src/support/config.ts", "config"},
			{"src/support/sessions.ts", "sessions"},
			{"src/support/logger.ts", "logger"},
			{"src/support/mailer.ts", "mailer"},
			{"src/support/limiter.ts", "limiter"},
			{"test/support/security.test.ts", "security_test"},
			{"src/app.ts", "app"},
		},
		more: []part{
			{"src/%s/report.ts", "report"},
			{"src/%s/page.ts", "page"},
			{"src/%s/archive.ts", "archive"},
			{"src/%s/reminder.ts", "reminder"},
			{"src/%s/catalog.ts", "catalog"},
			{"src/%s/intake.ts", "intake"},
			{"test/%s/report.test.ts", "report_test"},
		},
	}
}
