package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// matched is where rules match code.
type matched struct {
	Files   int     `json:"files"` // in a language that one of the rules reads
	Matches []match `json:"matches"`
}

type match struct {
	Rule     string `json:"rule"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	EndLine  int    `json:"end_line"`
	Severity string `json:"severity"`
	Title    string `json:"title"`
	Detail   string `json:"detail"` // what is particular to this place, "" if nothing
	Evidence string `json:"evidence"`
}

// matchRules prints where rules match the code of a file or a directory.
func (a *app) matchRules(ctx context.Context, chosen []rule.Rule, path string) error {
	root, include, err := scope([]string{path})
	if err != nil {
		return err
	}
	code, err := codebase.Load(ctx, root, codebase.Options{Include: include})
	if err != nil {
		return err
	}
	parser, err := a.parser()
	if err != nil {
		return err
	}
	set, found := rules.NewSet(parser, chosen), matched{Matches: []match{}}
	for _, file := range code.Paths() {
		spoken := language.Read(file)
		if !set.Reads(spoken) {
			continue
		}
		found.Files++
		text, _ := code.Text(file)
		matches, err := set.Check(ctx, file, spoken, []byte(text))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			a.say("warning: " + err.Error())
		}
		for _, m := range matches {
			found.Matches = append(found.Matches, match{m.Rule, file, m.Line, m.EndLine, m.Severity, m.Title, m.Detail, m.Evidence})
		}
	}
	return a.print(found, func(w io.Writer) error { return found.write(w) })
}

func (m matched) write(w io.Writer) error {
	for _, one := range m.Matches {
		line, _, _ := strings.Cut(one.Evidence, "\n")
		fmt.Fprintf(w, "%s:%d: %s %s: %s\n    %s\n", termtext.Inline(one.File), one.Line, one.Severity, one.Rule,
			termtext.Inline(cmp.Or(one.Detail, one.Title)), termtext.Inline(line))
	}
	n := "no match"
	if len(m.Matches) > 0 {
		n = fmt.Sprint(len(m.Matches), " matches")
		if len(m.Matches) == 1 {
			n = "1 match"
		}
	}
	_, err := fmt.Fprintf(w, "%s in %s that the rules read\n", n, termtext.Plural(m.Files, "file"))
	return err
}
