package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/triage"
	"github.com/deeprepo/deeprepo/internal/view"
)

// With the second URL a finding is decided about in the page; with the first one there is nothing to press.
func TestDecidingInThePage(t *testing.T) {
	needBrowser(t)
	repo := copied(t, filepath.Join(planted(t), "tree"))
	dir := filepath.Join(t.TempDir(), "run")
	must(t, world, nil, "analyze", repo, "--offline", "--out", dir)
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	rep := readReport(t, dir)
	first, second := serveDeciding(t, dir)

	p := newPage(t)
	p.run = view.ID(dir)
	p.Open(first + "/")
	p.Go("")
	p.Wait(rep.Findings[0].Title, "Where it comes from")
	p.Rest()
	if n := p.Count(".decide"); n != 0 {
		t.Errorf("%d places to decide with the first URL", n)
	}

	p = newPage(t)
	p.run = view.ID(dir)
	p.Open(second + "/")
	p.Until("the clean address", "!location.href.includes('/w/') && !location.href.includes('/t/')")
	p.Go("")
	p.WaitFor(".decide button[disabled]")
	p.Type(".decide input[type=text]", "internal network only")
	p.Shot("triage")
	p.ClickText("accepted as a risk")
	p.Wait("Now accepted as a risk", "internal network only")
	known, err := triage.ReadFile(filepath.Join(repo, triage.Name))
	if err != nil || len(known.Decisions) != 1 || known.Decisions[0].Reason != "internal network only" {
		t.Fatalf("%v %+v", err, known)
	}
	p.Reload()
	p.Wait("Now accepted as a risk")

	// The next review leaves it out, and its page says who did and why.
	next := filepath.Join(t.TempDir(), "next")
	must(t, world, nil, "analyze", repo, "--offline", "--out", next)
	p = open(t, next)
	p.Go("findings?tab=suppressed")
	p.Wait("Left out by a decision", "accepted as a risk, by ", "internal network only")
	if text := p.Text(); strings.Contains(text, "Suppressed by a comment") {
		t.Error("a decision is told as a comment")
	}
}
