package python

// batchReport is a pipeline: files come in, records go through stages into a ledger, reports go out.
func batchReport() design {
	return design{
		core: []unit{
			{name: "readme", path: "README.md"},
			{name: "init", path: "<pkg>/__init__.py"},
			{name: "ledger", path: "<pkg>/ledger.py"},
			{name: "intake", path: "<pkg>/intake.py"},
			{name: "feed", path: "<pkg>/feeds/<e>_feed.py"},
			{name: "report", path: "<pkg>/reports/<e>_report.py"},
			{name: "test_feed", path: "tests/test_<e>_batch.py"},
		},
		shared: []unit{
			{name: "leases", path: "<pkg>/leases.py"},
			{name: "stages", path: "<pkg>/stages.py"},
			{name: "paper", path: "<pkg>/paper.py"},
			{name: "operators", path: "<pkg>/operators.py"},
			{name: "seen", path: "<pkg>/seen.py"},
			{name: "test_machinery", path: "tests/test_machinery.py"},
			{name: "outgoing", path: "<pkg>/outgoing.py"},
			{name: "pacing", path: "<pkg>/pacing.py"},
			{name: "totals", path: "<pkg>/totals.py"},
			{name: "calendar", path: "<pkg>/calendar_days.py"},
			{name: "test_more", path: "tests/test_more_machinery.py"},
			{name: "lines", path: "<pkg>/line_formats.py"},
		},
		entity: []unit{
			{name: "feed", path: "<pkg>/feeds/<e>_feed.py"},
			{name: "report", path: "<pkg>/reports/<e>_report.py"},
			{name: "test_feed", path: "tests/test_<e>_batch.py"},
		},
		optional: []unit{
			{name: "transform", path: "<pkg>/transforms/<e>_transform.py"},
			{name: "merge", path: "<pkg>/merges/<e>_merge.py"},
			{name: "table", path: "<pkg>/tables/<e>_table.py"},
			{name: "run", path: "<pkg>/runs/<e>_run.py", needs: []string{"leases", "operators"}},
			{name: "sheet", path: "<pkg>/sheets/<e>_sheet.py", needs: []string{"paper"}},
			{name: "dump", path: "<pkg>/dumps/<e>_dump.py", needs: []string{"outgoing"}},
			{name: "test_transform", path: "tests/transforms/test_<e>_transform.py", needs: []string{"transform"}},
			{name: "test_table", path: "tests/tables/test_<e>_table.py", needs: []string{"table"}},
		},
	}
}
