package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/deeprepo/deeprepo/internal/jsonfile"
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

func (a *app) printJSON(v any) error { return jsonfile.Write(a.stdout, v) }

// replaceFile writes a file that anybody may read, whole or not at all.
func replaceFile(path string, fill func(io.Writer) error) error {
	return wholefile.Write(path, func(f *os.File) error { return errors.Join(fill(f), f.Chmod(0o644)) })
}
