package review

import (
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// unjudged books what the reader could not judge: skipped source, source in languages that it knows nothing of, and source
// that its parser gave up on. They are in the coverage's denominator, but the run is complete all the same as long as at
// least half of the lines of source code were judged. judges is nil where the reader judges anything.
func unjudged(res *rlm.Result, code *codebase.Codebase, judges func(path string) bool) {
	source, judged, foreign, foreignLines, unparsed, unparsedLines := 0, 0, 0, 0, 0, 0
	for _, f := range res.Coverage.Files() {
		if info, _ := code.File(f.Path); !language.Source(info.Language) {
			continue
		}
		source += f.Lines
		if judges == nil || judges(f.Path) {
			judged += f.Judged
			if f.Judged < f.Answered {
				unparsed, unparsedLines = unparsed+1, unparsedLines+f.Answered-f.Judged
			}
		} else {
			foreign, foreignLines = foreign+1, foreignLines+f.Lines
		}
	}
	skipped, skippedLines := leftOut(code)
	res.Lack(trace.ShortSkipped, skipped, skippedLines)
	res.Lack(trace.ShortNoRules, foreign, foreignLines)
	res.Lack(trace.ShortUnparsed, unparsed, unparsedLines)
	if len(res.Shortfalls) > 0 && 2*judged < source+skippedLines && res.Status == trace.StatusCompleted {
		res.Status = trace.StatusPartial
	}
}

// leftOut counts the files of source code that the codebase itself keeps from its readers, and their lines, as far as they
// are known. What the user excluded, and what no review needs (vendored directories, lock files), is not missing.
func leftOut(code *codebase.Codebase) (files, lines int) {
	for _, s := range code.Skipped() {
		if s.Source && s.By == codebase.ByCodebase {
			files, lines = files+1, lines+max(0, s.Lines)
		}
	}
	return files, lines
}
