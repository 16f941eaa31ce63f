package golang

// eventRelay takes messages in, queues them, and hands them to plugins and outlets.
func eventRelay() design {
	return design{
		dir:      "relay",
		own:      []string{"relay", "plugs", "views", "intake", "outlet", "vault", "pacing"},
		perFiles: 3,
		core: []string{
			"go.mod", "README.md", "relay/message.go", "relay/queue.go", "relay/seal.go", "plugs/_file_.go",
			"relay/relay_test.go", "relay/pump.go", "cmd/relay/main.go",
		},
		entity: []string{"plugs/_file_.go"},
		shared: [][]string{
			{"outlet/outlet.go"}, {"vault/vault.go"}, {"pacing/pacing.go"}, {"outlet/fan.go"}, {"outlet/outlet_test.go"}, {"relay/tags.go"},
		},
		pace:   2,
		extra:  []string{"views/_file_.go", "intake/_file_.go", "plugs/_file__test.go"},
		least:  2,
		listed: "plugs/_file_.go",
	}
}
