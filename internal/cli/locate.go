package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/codeeval/grid"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/locate"
	"github.com/spf13/cobra"
)

const (
	maxLocated    = 1000    // files, and functions
	maxLocateText = 1 << 20 // bytes
)

func (a *app) locateCommand() *cobra.Command {
	var n int
	var commit string
	cmd := &cobra.Command{
		Use:   "locate PATH TEXT",
		Short: "Rank the files and functions that an issue or error message asks to change, without a model",
		Long: `Rank the files and functions of the codebase at PATH by how likely TEXT asks for a change there: an issue, an error message,
a stack trace, a question. PATH is a directory, a git work tree or a bare repository. TEXT "-" is read from standard input.

No model is asked and nothing is sent anywhere. "why" names the signals that moved the score most, each with what it adds.
What was read is kept in the cache directory, so the next question about the codebase is quick.`,
		Example: `  deeprepo locate . "cookies are lost after a redirect"
  deeprepo locate ~/src/app - < issue.md                    # the text from standard input
  deeprepo locate app.git "timeout is ignored" --commit v1.2 -n 20
  deeprepo locate . - --json < trace.txt                    # {"files": [{"path", "score", "why"}], "functions": [...]}`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{fmt.Errorf("locate takes a path and a text, got %d arguments", len(args)),
					`put the text in quotes: deeprepo locate . "cookies are lost"; - reads it from standard input`}
			}
			if n < 1 || n > maxLocated {
				return usageError{fmt.Errorf("-n %d is not between 1 and %d", n, maxLocated), "-n 20 ranks at most 20 files and 20 functions"}
			}
			return nil
		},
		ValidArgsFunction: completeDir,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := locateText(cmd, args[1])
			if err != nil {
				return err
			}
			ranking, err := a.locate(cmd.Context(), args[0], commit, text, n)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(ranking)
			}
			_, err = io.WriteString(a.stdout, a.locatedText(ranking))
			return err
		},
	}
	fl := cmd.Flags()
	fl.IntVarP(&n, "number", "n", 10, "how many files, and how many functions, at most")
	fl.StringVar(&commit, "commit", "", "the code of this commit instead of the work tree")
	return cmd
}

// locateText is the text of an argument, or of standard input.
func locateText(cmd *cobra.Command, text string) (string, error) {
	if text == "-" {
		var err error
		if text, err = readSource(cmd, "-"); err != nil {
			return "", err
		}
	}
	if strings.TrimSpace(text) == "" {
		return "", usageError{errors.New("the text is empty"), "give an issue, an error message or a question; - reads it from standard input"}
	}
	if len(text) > maxLocateText {
		return "", usageError{fmt.Errorf("the text has %d bytes, more than %d", len(text), maxLocateText),
			"give the part that says what is wrong"}
	}
	return text, nil
}

// locate ranks the places of a codebase for a text.
func (a *app) locate(ctx context.Context, path, commit, text string, n int) (locate.Ranking, error) {
	if len(text) > locate.MaxText {
		a.say(fmt.Sprintf("the text has %d bytes: its first %d are read", len(text), locate.MaxText))
	}
	code, err := codebase.Load(ctx, path, codebase.Options{Commit: commit})
	if err != nil {
		return locate.Ranking{}, err
	}
	p := a.newProgress()
	defer p.close()
	o := graph.Options{Parser: a.parser, CacheDir: a.graphDir()}
	if p.live {
		o.Observe = func(r graph.Progress) { p.count("files are read", r.Done, r.Files) }
	}
	x, err := locate.New(ctx, code, locate.Options{Graph: graph.Lazily(code, o)})
	if err != nil {
		return locate.Ranking{}, err
	}
	r, err := x.Locate(ctx, text, n)
	for _, note := range r.Notes {
		a.say(note)
	}
	return r, err
}

// locatedText is a ranking for a terminal.
func (a *app) locatedText(r locate.Ranking) string {
	files := grid.Table{Left: 3, Head: []string{"file", "score", "why"}}
	for _, f := range r.Files {
		files.Add(f.Path, locateScore(f.Score), locateWhy(f.Why))
	}
	functions := grid.Table{Left: 4, Head: []string{"function", "at", "score", "why"}}
	for _, f := range r.Functions {
		functions.Add(f.Label(), fmt.Sprintf("%s:%d", f.Path, f.Line), locateScore(f.Score), locateWhy(f.Why))
	}
	text := a.headed(files)
	if len(r.Functions) > 0 {
		text += "\n" + a.headed(functions)
	}
	if len(r.Files) == 0 {
		text += "nothing in the codebase has to do with the text\n"
	}
	return text
}

// headed is a table, its head in bold where that shows.
func (a *app) headed(t grid.Table) string {
	text := t.Text()
	if head, rest, ok := strings.Cut(text, "\n"); ok && a.style().Color {
		return "\x1b[1m" + head + "\x1b[0m\n" + rest
	}
	return text
}

func locateScore(v float64) string { return fmt.Sprintf("%.2f", v) }

// locateWhy names the strongest signals of a score.
func locateWhy(why []locate.Signal) string {
	const most = 3
	var parts []string
	for _, s := range why[:min(len(why), most)] {
		parts = append(parts, fmt.Sprintf("%s %.2f", s.Name, s.Value))
	}
	return strings.Join(parts, ", ")
}
