package typescript

// relayPlan is an event relay: a queue with leases, plugins made by factories, results instead of exceptions.
func relayPlan() plan {
	return plan{
		folder: "relay",
		path:   func(e entity) string { return e.Camel },
		base: []part{
			{"README.md", "about"},
			{"package.json", "manifest"},
			{"lib/primitives.ts", "primitives"},
			{"lib/queue.ts", "queue"},
			{"plugins/%s.ts", "plugin"},
			{"lib/runner.ts", "runner"},
			{"specs/%s.spec.ts", "plugin_spec"},
		},
		shared: []part{
			{"tsconfig.json", "compiler"},
			{"lib/registry.ts", "registry"},
			{"lib/settings.ts", "settings"},
			{"lib/ticker.ts", "ticker"},
			{"lib/build.ts", "build"},
			{"lib/breaker.ts", "breaker"},
			{"specs/primitives.spec.ts", "primitives_spec"},
		},
		more: []part{
			{"plugins/%s.digest.ts", "digest"},
			{"plugins/%s.vault.ts", "vault"},
			{"plugins/%s.hook.ts", "hook"},
			{"plugins/%s.memo.ts", "memo"},
			{"plugins/%s.export.ts", "export"},
			{"specs/%s.digest.spec.ts", "digest_spec"},
		},
	}
}
