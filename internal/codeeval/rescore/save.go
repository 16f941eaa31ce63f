package rescore

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/rundir"
)

// kind is the directory in the words of errors.
var kind = rundir.Kind{
	Name: "rescoring", Leaves: "tables and verdicts", By: "--out", Files: []string{"rescore.json"},
	Taken: func(path string) error { return fmt.Errorf("%s holds a rescoring already", path) },
}

// Save writes a report and the files with their new verdicts into a directory that is new or empty. opened is told of the
// directory, and what it returns is called before that is closed.
func Save(dir string, r Report, was []*resultfile.File, opened func(*rundir.Dir) (closing func())) error {
	d, err := rundir.Create(dir, kind)
	if err != nil {
		return err
	}
	defer d.Close()
	defer opened(d)()
	used := map[string]int{}
	for i, now := range r.Judged {
		name := rundir.Slug(stem(now.Path), "results")
		if used[name]++; used[name] > 1 {
			name += fmt.Sprintf("-%d", used[name])
		}
		if err := d.Write(name+"_rescored.jsonl", func(w io.Writer) error { return WriteRows(w, was[i], now) }); err != nil {
			return err
		}
	}
	if err := d.Write("rescore.md", func(w io.Writer) error {
		_, err := io.WriteString(w, "# Rescored\n\n"+Markdown(r.Rescored))
		return err
	}); err != nil {
		return err
	}
	return d.WriteJSON("rescore.json", r)
}

func stem(path string) string {
	name := filepath.Base(filepath.Clean(path))
	for _, end := range []string{".gz", ".json", ".jsonl"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}
