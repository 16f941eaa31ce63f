package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// The README's pictures are of this repository, reviewed by itself, offline. With -screenshots they are written:
//
//	go test ./internal/web/ui/e2e -run Pictures -screenshots "$PWD/docs/pictures"
func TestPictures(t *testing.T) {
	needBrowser(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(here, "..", "..", "..", "..")
	dir := run(t, "deeprepo", func(dir string) { must(t, world, nil, "analyze", root, "--offline", "--out", dir) })
	p := open(t, dir)
	p.Size(1280, 800)
	p.Go("turns")
	p.ClickText("Put every line")
	p.Wait("dispatches", "prompt")
	p.ShotAs("turns")
	p.Go("code")
	p.Wait("internal")
	p.ShotAs("code")
	p.Go("findings")
	p.WaitFor(".detail-words")
}
