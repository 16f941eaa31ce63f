package mcp

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
)

// run is a run that a client names, with its report, which must not be changed. It must be a review of something below the
// roots.
func (s *Server) run(roots []string, name string) (*opened, error) {
	if !isRunName(name) {
		return nil, hint.New(quoted(name)+" is not the name of a run", "use the run that review gave, or one of the resources' list")
	}
	missing := hint.New("there is no run "+quoted(name)+" of a codebase below the roots",
		"use the run that review gave, or one of the resources' list")
	dir := filepath.Join(s.c.Runs, name)
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() { // a link may lead anywhere
		return nil, missing
	}
	o, err := s.reports.of(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, hint.New(quoted(name)+" has no report: the review did not come to its end", "review it again")
	}
	if err != nil {
		return nil, err
	}
	if !s.lies(roots, o.report.Repo.Path) {
		return nil, missing
	}
	return o, nil
}

// isRunName says whether a name is one directory's, and none that is hidden.
func isRunName(name string) bool {
	return name != "" && len(name) <= 255 && !strings.HasPrefix(name, ".") && !strings.ContainsAny(name, "/\\:\x00") && filepath.IsLocal(name)
}

// lies says whether the codebase of a run lies below the roots. One that is gone does where its path says so.
func (s *Server) lies(roots []string, path string) bool {
	if !filepath.IsAbs(path) {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		real, err = filepath.Clean(path), nil
	}
	return err == nil && inAny(roots, real)
}
