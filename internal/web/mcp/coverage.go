package mcp

import (
	"cmp"
	"context"
	"os"
	"slices"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

type coverageIn struct {
	Run   string `json:"run" jsonschema:"the run that review gave"`
	Limit int    `json:"limit,omitempty" jsonschema:"at most so many files, up to 200; default 20"`
}

type coverageOut struct {
	Fraction   float64    `json:"fraction"` // lines judged of all
	Lines      int        `json:"lines"`
	Dispatched int        `json:"lines_dispatched"`
	Answered   int        `json:"lines_answered"`
	Judged     int        `json:"lines_judged"`
	Skipped    int        `json:"files_skipped"`
	Total      int        `json:"files"`
	Files      []coverRow `json:"lacking"` // those that lack lines, the most first
}

type coverRow struct {
	File     string   `json:"file"`
	Lines    int      `json:"lines"`
	Judged   int      `json:"judged"`
	Lacks    int      `json:"lacks"`
	Read     [][2]int `json:"read"`       // lines that reached a reader: from, to
	Unjudged [][2]int `json:"not_judged"` // of those
}

// maxRecord bounds coverage.json.
const maxRecord = 256 << 20

func (s *Server) coverage(_ context.Context, c *call, in coverageIn) (coverageOut, error) {
	run, err := s.run(c.roots, in.Run)
	if err != nil {
		return coverageOut{}, err
	}
	k := run.report.Coverage
	out := coverageOut{Fraction: k.Fraction, Lines: k.LinesTotal, Dispatched: k.LinesDispatched, Answered: k.LinesAnswered,
		Judged: k.LinesJudged, Skipped: len(k.Skipped), Files: []coverRow{}}
	root, err := os.OpenRoot(run.dir)
	if err != nil {
		return out, err
	}
	defer root.Close()
	f, err := bounded.OpenIn(root, runfile.CoverageName, maxRecord)
	if err != nil {
		return out, err
	}
	defer f.Close()
	record, err := coverage.ReadRecord(f)
	if err != nil {
		return out, err
	}
	out.Total = len(record.Files)
	for _, f := range record.Files {
		if f.Judged < f.Lines {
			out.Files = append(out.Files, coverRow{f.Path, f.Lines, f.Judged, f.Lines - f.Judged, firsts(f.Ranges),
				firsts(slices.Concat(f.Unanswered, f.Unjudged))})
		}
	}
	slices.SortStableFunc(out.Files, func(a, b coverRow) int { return cmp.Compare(b.Lacks, a.Lacks) })
	_, limit, _ := page("", in.Limit)
	out.Files = out.Files[:min(len(out.Files), limit)]
	return out, nil
}

// firsts are ranges enough for a reader.
func firsts(ranges [][2]int) [][2]int { return append([][2]int{}, ranges[:min(len(ranges), 20)]...) }
