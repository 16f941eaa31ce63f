package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// say tells the user something on stderr.
func (a *app) say(line string) { fmt.Fprintf(a.stderr, "deeprepo: %s\n", termtext.Masked(line)) }

// print writes v with --json, else what text writes.
func (a *app) print(v any, text func() error) error {
	if a.json {
		return a.printJSON(v)
	}
	return text()
}

func (a *app) printJSON(v any) error {
	a.printed = true
	return jsonfile.Write(a.stdout, v)
}

// printError prints a failed command's error as JSON: {"error": {"code", "message", "hint"}}. The code is "usage" for the
// user's mistake, the kind of a failed model call, else "failed".
func (a *app) printError(err error) {
	type failure struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Hint    string `json:"hint"`
	}
	f := failure{Code: "failed", Message: err.Error(), Hint: hint.Of(err)}
	if kind := llm.KindOf(err); kind != "" {
		f.Code = string(kind)
	} else if exitCode(err) == exitUsage {
		f.Code = "usage"
	}
	_ = jsonfile.Write(a.stdout, map[string]failure{"error": f}) // the error is on stderr already
}

// masked prints what write writes, fit for a terminal.
func (a *app) masked(write func(io.Writer) error) error {
	var text strings.Builder
	if err := write(&text); err != nil {
		return err
	}
	fmt.Fprint(a.stdout, termtext.Masked(text.String()))
	return nil
}
