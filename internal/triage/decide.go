package triage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/wholefile"
)

// Check refuses a decision that cannot be meant on a day.
func Check(t runfile.Triage, now time.Time) error {
	switch {
	case !slices.Contains(States(), t.State):
		return fmt.Errorf("a state is one of %s, not %q", strings.Join(States(), ", "), termtext.Inline(termtext.Cut(t.State, 100)))
	case strings.TrimSpace(t.Reason) == "":
		return errors.New("a decision needs its reason")
	case len(t.Reason) > maxText || len(t.By) > maxText:
		return fmt.Errorf("a text of a decision has more than %d bytes", maxText)
	}
	if t.Until == "" {
		return nil
	}
	day, err := time.Parse(time.DateOnly, t.Until)
	if err != nil {
		return fmt.Errorf("until takes a day, as 2027-01-31: %q", termtext.Inline(termtext.Cut(t.Until, 100)))
	}
	if day.Before(now.UTC().Truncate(24 * time.Hour)) {
		return fmt.Errorf("%s is over: give a day to come", t.Until)
	}
	return nil
}

// Target is the triage file of the codebase that a report is of.
func Target(r runfile.Report) (string, error) {
	if info, err := os.Stat(r.Repo.Path); r.Repo.Path == "" || err != nil || !info.IsDir() {
		return "", fmt.Errorf("the codebase that was reviewed is not at %s any more", termtext.Inline(r.Repo.Path))
	}
	name := filepath.Join(r.Repo.Path, filepath.FromSlash(Name))
	for _, path := range []string{filepath.Dir(name), name} {
		if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return "", fmt.Errorf("%s is a link: it may lead out of the codebase", termtext.Inline(path))
		}
	}
	return name, nil
}

// Known are the findings of a report that can be decided about: those that it lists, and those that decisions left out.
func Known(r runfile.Report) []finding.Finding {
	all := slices.Clone(r.Findings)
	for _, s := range r.Suppressed {
		if s.By == "triage" {
			all = append(all, s.Finding)
		}
	}
	return all
}

// ReadFile reads a triage file; one that is not there holds nothing.
func ReadFile(name string) (File, error) {
	text, err := bounded.ReadFile(name, MaxBytes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return File{}, fmt.Errorf("triage file: %w", err)
	}
	known, err := Parse(text)
	if err != nil {
		return known, hint.Wrap(fmt.Errorf("triage file: %s: %w", name, err), "mend it, or take it from the last commit: nothing was written")
	}
	return known, nil
}

// WriteFile replaces a triage file.
func WriteFile(name string, known File) error {
	err := os.MkdirAll(filepath.Dir(name), 0o755)
	if err == nil {
		err = wholefile.Write(name, func(f *os.File) error { return errors.Join(known.Write(f), f.Chmod(0o644)) })
	}
	if err != nil {
		return fmt.Errorf("triage file: %w", err)
	}
	return nil
}
