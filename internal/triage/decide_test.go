package triage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

func TestADecisionMustBeMeant(t *testing.T) {
	good := decided(Accepted, "2026-11-23")
	if err := Check(good, day); err != nil {
		t.Errorf("today is a day to come: %v", err)
	}
	for want, change := range map[string]func(*runfile.Triage){
		"a state is one of open": func(d *runfile.Triage) { d.State = "gone\x1b" },
		"needs its reason":       func(d *runfile.Triage) { d.Reason = " \n" },
		"more than 2000 bytes":   func(d *runfile.Triage) { d.Reason = strings.Repeat("x", 2001) },
		"until takes a day":      func(d *runfile.Triage) { d.Until = "tomorrow" },
		"2026-11-22 is over":     func(d *runfile.Triage) { d.Until = "2026-11-22" },
		"of a decision has more": func(d *runfile.Triage) { d.By = strings.Repeat("x", 2001) },
	} {
		d := good
		change(&d)
		if err := Check(d, day); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestTheTargetLiesInTheCodebase(t *testing.T) {
	repo := t.TempDir()
	of := func(path string) (string, error) { return Target(runfile.Report{Repo: runfile.Repo{Path: path}}) }
	if name, err := of(repo); err != nil || name != filepath.Join(repo, ".deeprepo", "triage.json") {
		t.Errorf("%s, %v", name, err)
	}
	for _, path := range []string{"", filepath.Join(repo, "gone")} {
		if _, err := of(path); err == nil {
			t.Errorf("%q is a codebase", path)
		}
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(repo, ".deeprepo")); err != nil {
		t.Fatal(err)
	}
	if _, err := of(repo); err == nil || !strings.Contains(err.Error(), "is a link") {
		t.Errorf("a link is followed: %v", err)
	}
}

func TestWhatCanBeDecidedAbout(t *testing.T) {
	all := Known(runfile.Report{Findings: []finding.Finding{{ID: "a"}}, Suppressed: []runfile.Suppressed{
		{Finding: finding.Finding{ID: "b"}, By: "triage"}, {Finding: finding.Finding{ID: "c"}, By: "comment"}}})
	if len(all) != 2 || all[0].ID != "a" || all[1].ID != "b" {
		t.Errorf("%+v", all)
	}
}
