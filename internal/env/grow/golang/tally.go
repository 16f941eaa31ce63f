package golang

// tallyCLI is a command-line tool that keeps numbers by topic and answers questions about them.
func tallyCLI() design {
	return design{
		dir:      "tally",
		own:      []string{"tally", "keep", "fetch", "clockwork", "squeeze", "topics/_pkg_"},
		perFiles: 3,
		core: []string{
			"go.mod", "README.md", "tally/series.go", "tally/window.go", "keep/keep.go", "topics/_pkg_/_file_.go",
			"tally/tally_test.go", "main.go",
		},
		entity: []string{"topics/_pkg_/_file_.go"},
		shared: [][]string{{"clockwork/clockwork.go"}, {"fetch/fetch.go"}, {"squeeze/squeeze.go"}, {"keep/keep_test.go"}, {"tally/chart.go"}},
		pace:   2,
		extra:  []string{"topics/_pkg_/ask.go", "topics/_pkg_/table.go", "topics/_pkg_/_file__test.go"},
		least:  2,
		listed: "topics/_pkg_/ask.go", // whose package can be asked from the command line
		choices: []choice{
			{"topics/_pkg_/ask.go", "question", []string{"mean", "median", "sum"}},
			{"topics/_pkg_/table.go", "style", []string{"whole", "label"}},
		},
	}
}
