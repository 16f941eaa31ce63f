package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/jsonfile"
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

func (a *app) printJSON(v any) error { return jsonfile.Write(a.stdout, v) }

// masked prints what write writes, fit for a terminal.
func (a *app) masked(write func(io.Writer) error) error {
	var text strings.Builder
	if err := write(&text); err != nil {
		return err
	}
	fmt.Fprint(a.stdout, termtext.Masked(text.String()))
	return nil
}
