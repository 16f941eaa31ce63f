package dataset

import (
	"context"
	"strings"
)

// mbppSanitized is the part of MBPP, 427 tasks, that its authors checked and corrected by hand.
type mbppSanitized struct{}

func (mbppSanitized) about() Info {
	return Info{
		Name:        "mbpp-sanitized",
		Title:       "MBPP sanitized",
		Licence:     "CC-BY-4.0",
		Attribution: mbppAuthors,
		Home:        "https://github.com/google-research/google-research/tree/master/mbpp",
		Splits:      mbppSplits(),
	}
}

func (mbppSanitized) origin() origin {
	return origin{
		url:    "https://raw.githubusercontent.com/google-research/google-research/master/mbpp/sanitized-mbpp.json",
		file:   "sanitized-mbpp.json",
		sha256: "8ac32b2799150228e2d745aed09c870b7e4444246d4727d1004576207ef40769",
		bytes:  smallSet,
	}
}

// sanitizedRow is an entry of sanitized-mbpp.json, whose names differ from those of mbpp.jsonl.
type sanitizedRow struct {
	TaskID      mbppID   `json:"task_id"`
	Prompt      string   `json:"prompt"`
	Code        string   `json:"code"`
	TestImports []string `json:"test_imports"`
	TestList    []string `json:"test_list"`
}

func (mbppSanitized) read(ctx context.Context, in *input) ([]Task, error) {
	return tasks(ctx, in, func(r sanitizedRow) (Task, error) {
		return in.python.asserted(ctx, asserted{
			id: int(r.TaskID), text: r.Prompt, code: r.Code, setup: strings.Join(r.TestImports, "\n"), tests: r.TestList,
		})
	})
}
