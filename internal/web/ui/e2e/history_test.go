package e2e

import (
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view"
)

// TestHistory reviews a codebase before and after it was mended: the first page of either review says so, and leads to the other.
func TestHistory(t *testing.T) {
	needBrowser(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(dir, "app", "a.py")
	runtest.WriteFile(t, source, "def find(db, name):\n    return db.execute(\"select * from users where name = '%s'\" % name)\n")
	must(t, dir, nil, "analyze", "app", "--out", "runs/before")
	p := openList(t, filepath.Join(dir, "runs"))
	before, after := view.ID(filepath.Join(dir, "runs", "before")), view.ID(filepath.Join(dir, "runs", "after"))
	p.Go("run/" + before)
	p.Wait("About this run")
	if n := p.Count(`section[aria-label="History"]`); n != 0 {
		t.Error("one review is shown as a history")
	}
	runtest.WriteFile(t, source, "def find(db, name):\n    return db.execute(\"select * from users where name = ?\", (name,))\n")
	must(t, dir, nil, "analyze", "app", "--out", "runs/after")
	p.Go("run/" + after)
	p.Wait("2 reviews of this codebase", "Findings by review")
	p.WaitFor(`section[aria-label="History"] .plot canvas`)
	var cells string
	p.Eval(`[...document.querySelectorAll('[aria-label="History"] tbody tr:last-child td')].map((c) => c.textContent).join("|")`, &cells)
	if want := "|completed|0|0|0|1|0|$0.00"; len(cells) < len(want) || cells[len(cells)-len(want):] != want {
		t.Errorf("the last review is %q, want %q at its end", cells, want)
	}
	p.Click(`section[aria-label="History"] tbody tr:first-child a`)
	p.Until("the first review", `location.hash.startsWith("#/run/`+before+`")`)
}
