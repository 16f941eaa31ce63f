package cli

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/review"
)

// temporary is the directory of a run: a temporary one with --rm.
func (f reviewFlags) temporary() (string, error) {
	switch {
	case !f.exit.leaveNothing || f.dryRun:
		return f.Out, nil
	case f.Out != "":
		return "", usageError{errors.New("--rm and --out contradict each other"), "leave out one of them"}
	}
	dir, err := os.MkdirTemp("", "deeprepo-")
	if err != nil {
		return "", exitError{exitOutside, err}
	}
	return filepath.Join(dir, "run"), nil
}

// conclude finishes a review whose directory is dir. What was named and holds nothing to review is no fault.
func (a *app) conclude(out review.Outcome, err error, f reviewFlags, dir string) error {
	if f.named && errors.Is(err, codebase.ErrNoSource) {
		if err = nil; !a.quiet {
			a.say("nothing to review: no file of source code is named")
		}
	}
	err = a.finish(out, err, f.exit)
	if f.exit.leaveNothing && (out.Dir == "" || err == nil || exitCode(err) == exitNo) { // what broke off stays, to be resumed
		return errors.Join(err, os.RemoveAll(filepath.Dir(dir)))
	}
	return err
}
