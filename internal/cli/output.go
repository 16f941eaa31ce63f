package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/wholefile"
)

// say tells the user something on stderr.
func (a *app) say(line string) { fmt.Fprintf(a.stderr, "deeprepo: %s\n", termtext.Masked(line)) }

// print prints v with --json, else what text writes, fit for a terminal.
func (a *app) print(v any, text func(io.Writer) error) error {
	if a.json {
		return a.printJSON(v)
	}
	var b strings.Builder
	if err := text(&b); err != nil {
		return err
	}
	_, err := io.WriteString(a.stdout, termtext.Masked(b.String()))
	return err
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

// replaceFile writes a file that anybody may read, whole or not at all.
func replaceFile(path string, fill func(io.Writer) error) error {
	return wholefile.Write(path, func(f *os.File) error { return errors.Join(fill(f), f.Chmod(0o644)) })
}
