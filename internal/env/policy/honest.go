package policy

import (
	_ "embed"
	"strings"
)

//go:embed honest_read.py
var honestRead string

//go:embed honest_cross.py
var honestCross string

//go:embed honest_report.py
var honestReport string

// honest does the work: every file alone before a worker, then files together with those that use them, then a report
// of what was proven. It knows no language model's tricks and no template of the environment.
func honest() Policy {
	return Policy{
		Name: "honest", Kind: Honest, About: "every file to a worker, then files with their users, then a report with file and line",
		Replies: []string{Cell(whole(honestRead)), Cell(whole(honestCross)), Cell(honestReport)},
		Samples: []Sample{{"orchestration", 0.9, 1}, {"orchestration-v1", 0.6, 1}},
	}
}

// whole gives a cell the lines that its file breaks at a backslash: the model's words are the same, however the file is set.
func whole(code string) string {
	return strings.ReplaceAll(code, "\\\n", "")
}
