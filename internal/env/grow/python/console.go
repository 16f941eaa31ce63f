package python

// console is a command line over journals: commands, series and their analysis, a cache, a scheduler.
func console() design {
	return design{
		core: []unit{
			{name: "readme", path: "README.md"},
			{name: "main", path: "<pkg>/__main__.py"},
			{name: "journal", path: "<pkg>/journal.py"},
			{name: "vault", path: "<pkg>/vault.py"},
			{name: "series", path: "<pkg>/<es>/series.py"},
			{name: "commands", path: "<pkg>/<es>/commands.py"},
			{name: "spec", path: "specs/test_<es>.py"},
		},
		shared: []unit{
			{name: "timetable", path: "<pkg>/timetable.py"},
			{name: "memo", path: "<pkg>/memo.py"},
			{name: "shellwork", path: "<pkg>/shellwork.py"},
			{name: "spec_core", path: "specs/test_core.py"},
			{name: "screens", path: "<pkg>/screens.py"},
			{name: "numbers", path: "<pkg>/figures.py"},
			{name: "locations", path: "<pkg>/locations.py"},
			{name: "spec_rest", path: "specs/test_rest.py"},
			{name: "fetching", path: "<pkg>/fetching.py"},
		},
		entity: []unit{
			{name: "series", path: "<pkg>/<es>/series.py"},
			{name: "commands", path: "<pkg>/<es>/commands.py"},
			{name: "spec", path: "specs/test_<es>.py"},
		},
		optional: []unit{
			{name: "budget", path: "<pkg>/<es>/budget.py"},
			{name: "watch", path: "<pkg>/<es>/watch.py"},
			{name: "board", path: "<pkg>/<es>/board.py"},
			{name: "archive", path: "<pkg>/<es>/archive.py"},
			{name: "filters", path: "<pkg>/<es>/filters.py"},
			{name: "rhythm", path: "<pkg>/<es>/rhythm.py", needs: []string{"timetable"}},
			{name: "spec_budget", path: "specs/budgets/test_<es>_budget.py", needs: []string{"budget"}},
			{name: "spec_filters", path: "specs/filters/test_<es>_filters.py", needs: []string{"filters"}},
		},
	}
}
