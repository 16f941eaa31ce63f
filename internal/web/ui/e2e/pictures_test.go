package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The README's pictures are of this repository, reviewed by itself, offline. With -screenshots they are written:
//
//	go test ./internal/web/ui/e2e -run Pictures -screenshots "$PWD/docs/pictures"
//
// Without, a part of it is enough for the same pages; .ci/run reviews all of it once, with the README's first command.
func TestPictures(t *testing.T) {
	needBrowser(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(here, "..", "..", "..", "..")
	paths := []string{filepath.Join(root, "internal", "sandbox"), filepath.Join(root, "docs")}
	if *screenshots != "" {
		paths = []string{root}
	}
	dir := run(t, "deeprepo", func(dir string) {
		must(t, world, nil, slices.Concat([]string{"analyze"}, paths, []string{"--offline", "--out", dir})...)
	})
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
