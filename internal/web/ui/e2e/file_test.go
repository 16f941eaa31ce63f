package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// A run as a file opens from a disk, shows every section that it holds, and asks for nothing.
func TestExportedFileOpensFromDisk(t *testing.T) {
	needBrowser(t)
	for kind, dir := range everyKind(t) {
		t.Run(kind, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "run.html")
			must(t, world, nil, "ui", dir, "--export", file)
			if kind == "review" {
				if info, err := os.Stat(file); err != nil || info.Size() > 2<<20 {
					t.Errorf("a small review makes a file of %d bytes, %v", info.Size(), err)
				}
			}
			p := openFile(t, file)
			p.Wait(filepath.Base(dir))
			for _, place := range p.sections() {
				p.Eval("location.hash = "+quote(place), nil)
				p.settled(place)
			}
			p.Shot("file-" + kind)
			if n := p.asked(); n != 1 {
				t.Errorf("the file asked %d times for something", n-1)
			}
		})
	}
}

// openFile opens a page in a file.
func openFile(t *testing.T, file string) *Page {
	t.Helper()
	p := newPage(t)
	p.Open("file://" + filepath.ToSlash(file))
	p.Until("the page", "document.querySelector('main')")
	return p
}

// sections are the places of a run's sections, as its navigation has them.
func (p *Page) sections() []string {
	p.t.Helper()
	p.WaitFor("nav[aria-label^=Sections] a")
	var places []string
	p.Eval(`[...document.querySelectorAll('nav[aria-label^=Sections] a')].map(a => a.getAttribute('href'))`, &places)
	return places
}

// settled waits until a place shows what it has to show, which is no problem.
func (p *Page) settled(place string) {
	p.t.Helper()
	p.quiet(place)
	p.Until(place+" to show no problem", "!document.querySelector('main [role=alert]')")
}

// quiet waits until a place shows what it has to show, be it a problem.
func (p *Page) quiet(place string) {
	p.t.Helper()
	p.Until("the page at "+place, `location.hash.startsWith(`+quote(place)+`) && document.querySelector('main')?.innerText.length > 30 &&
		!document.querySelector('main .loading, main [aria-busy=true]')`)
}

// asked is how many requests the page has made, beside those for data that lie in it.
func (p *Page) asked() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests
}
