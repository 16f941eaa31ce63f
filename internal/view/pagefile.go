package view

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/page"
	"github.com/deeprepo/deeprepo/internal/rundir"
)

// maxPage is what a page that a run leaves takes at most. Its documents are chosen by an estimate that is too high by a third
// where files are alike: pageBudgets are tried in turn, and the last one holds whatever the documents are.
const maxPage = 2_000_000

var pageBudgets = [...]int{2_100_000, 1_550_000}

// WritePage writes the page of deeprepo ui, with what it shows of one run, into the run's directory: report.html,
// bench.html. It is drawn from the run's files, as the served page is: those that it shows must be whole.
func WritePage(dir *rundir.Dir, name string) error {
	run, err := Open(dir.Path())
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer run.Close()
	var file bytes.Buffer
	for _, budget := range pageBudgets {
		archive, err := run.Archive(budget, false)
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		file.Reset()
		if err := page.WriteFile(&file, filepath.Base(run.Path()), archive); err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		if file.Len() <= maxPage {
			break
		}
	}
	return dir.Write(name, func(w io.Writer) error { _, err := file.WriteTo(w); return err })
}
