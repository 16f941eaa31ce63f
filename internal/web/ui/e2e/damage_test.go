package e2e

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view"
)

// Files that are not what they should be: the page says so in their place, and shows the rest.
func TestDamagedRuns(t *testing.T) {
	needBrowser(t)
	for name, change := range map[string]func([]byte) []byte{
		"cut":        func(text []byte) []byte { return text[:len(text)*2/3] },
		"null":       func([]byte) []byte { return []byte("null") },
		"list":       func([]byte) []byte { return []byte("[[[]]]") },
		"empty":      func([]byte) []byte { return nil },
		"binary":     func(text []byte) []byte { return bytes.Repeat([]byte{0, 0xff, '"', '\n'}, len(text)/4+1) },
		"deep":       func([]byte) []byte { return []byte(strings.Repeat(`{"a":[`, 50_000)) },
		"no numbers": func(text []byte) []byte { return bytes.ReplaceAll(text, []byte(`": 1`), []byte(`": -1e308`)) },
		"nulls":      func(text []byte) []byte { return bytes.ReplaceAll(text, []byte(`":"`), []byte(`":null,"x":"`)) },
	} {
		t.Run(name, func(t *testing.T) {
			for kind, dir := range everyKind(t) {
				dir := copied(t, dir)
				manifest, err := os.ReadFile(filepath.Join(dir, "run.json"))
				if err != nil && kind != "compare" {
					t.Fatal(err)
				}
				rewrite(t, dir, change)
				if err == nil { // so that it still is a run of its kind
					runtest.WriteFile(t, filepath.Join(dir, "run.json"), string(manifest))
				}
			}
			home := filepath.Join(world, "copies", strings.ReplaceAll(t.Name(), "/", "-"))
			p := openList(t, home)
			p.Allow("status of 4")
			p.Until("the list", "document.querySelector('main')?.innerText.length > 20")
			rows, _, err := view.NewLister([]string{home}, 100).Runs(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				if row.Parent != "" {
					continue // one of a kind is enough
				}
				p.run = row.ID
				p.Go("")
				p.Until("the run "+row.Name, "document.querySelector('main')?.innerText.length > 10")
				p.Until("the end of waiting at "+row.Name, "!document.querySelector('main .loading')")
				var places []string
				p.Eval(`[...document.querySelectorAll('nav[aria-label^=Sections] a')].map(a => a.getAttribute('href'))`, &places)
				for _, place := range places {
					p.Eval("location.hash = "+quote(place), nil)
					p.Until("something at "+place, "location.hash.startsWith("+quote(place)+") && document.querySelector('main')?.innerText.length > "+
						"5 && !document.querySelector('main .loading')")
				}
			}
		})
	}
}

// A line of 200 MB in a trace is no reason to take that much memory, to wait, or to show nothing of the rest.
func TestEndlessLine(t *testing.T) {
	needBrowser(t)
	dir := copied(t, reviewed(t))
	f, err := os.OpenFile(filepath.Join(dir, "trace.jsonl"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriterSize(f, 1<<20)
	chunk := bytes.Repeat([]byte("a"), 1<<20)
	out.WriteString(`{"type":"cell","code":"`)
	for range 200 {
		out.Write(chunk)
	}
	out.WriteString("\"}\n")
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	t.Cleanup(func() { os.RemoveAll(dir) })
	p := open(t, dir)
	p.Allow("status of 4")
	p.Wait("planted-review")
	for _, place := range p.sections() {
		p.Eval("location.hash = "+quote(place), nil)
		p.quiet(place)
	}
}

// Links in a run's directory lead nowhere outside it, and pipes do not hold the server up.
func TestLinksOut(t *testing.T) {
	needBrowser(t)
	dir := copied(t, reviewed(t))
	outside := filepath.Join(world, "outside.json")
	runtest.WriteFile(t, outside, `{"schema": 1, "analysis": "what nobody may see", "findings": [{"title": "what nobody may see"}]}`)
	for _, name := range []string{"report.json", "coverage.json", "trace.jsonl"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	p := open(t, dir)
	p.Allow("status of 4")
	p.Wait("planted-review")
	var places []string
	p.Eval(`[...document.querySelectorAll('nav[aria-label^=Sections] a')].map(a => a.getAttribute('href'))`, &places)
	for _, place := range append(places, "#/run/"+p.run+"/findings", "#/run/"+p.run+"/code/file/..%2F..%2Foutside.json") {
		p.Eval("location.hash = "+quote(place), nil)
		p.Until("something at "+place, "document.querySelector('main')?.innerText.length > 5 && !document.querySelector('main .loading')")
		if strings.Contains(p.Text(), "nobody may see") {
			t.Errorf("%s shows what is outside", place)
		}
	}
}

// A directory that goes while its page is open: the page says so, and comes back with it.
func TestRunThatGoes(t *testing.T) {
	needBrowser(t)
	dir := copied(t, reviewed(t))
	home := filepath.Dir(dir)
	p := openList(t, home)
	p.Allow("status of 4")
	p.run = view.ID(dir)
	p.Go("findings")
	p.quiet("#/run/" + p.run + "/findings")
	away := filepath.Join(world, "away")
	if err := os.Rename(dir, away); err != nil {
		t.Fatal(err)
	}
	p.Wait("moved or removed") // whether or not the list of runs has noticed it, too
	if err := os.Rename(away, dir); err != nil {
		t.Fatal(err)
	}
	p.WaitGone("moved or removed")
	p.settled("#/run/" + p.run + "/findings")
}
