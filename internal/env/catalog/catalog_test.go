package catalog_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/env/grow"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

func options(t *testing.T) catalog.Options {
	t.Helper()
	return catalog.Options{Parser: runtest.OpenParser}
}

func TestOpenPath(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.jsonl")
	line := `{"id": "one", "files": {"a.go": "package a\n"}, "truth": [{"file": "a.go", "line": 1, "category": "logic", "severity": "low"}]}`
	if err := os.WriteFile(file, []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := catalog.Open(context.Background(), file, options(t))
	if err != nil {
		t.Fatal(err)
	}
	if e.Name() != "mine" || e.Size(env.Selection{}) != 1 || e.Size(env.Selection{Language: "python"}) != 0 || !e.About().Fixed {
		t.Errorf("%s of %d tasks, fixed %v", e.Name(), e.Size(env.Selection{}), e.About().Fixed)
	}
	if !strings.Contains(e.About().Summary, "1 fixed tasks") || e.About().RewardName != "orchestration_reward" {
		t.Errorf("%+v", e.About())
	}
	grown, err := catalog.Open(context.Background(), "orchestration", options(t))
	if err != nil || grown.About().Fixed {
		t.Errorf("grown tasks are called fixed (%v)", err)
	}
}

// A grown project that is written to disk is read whole: no word of a domain makes a directory that a review leaves out.
func TestGrownProjectsAreReadWhole(t *testing.T) {
	sellers := 0
	for _, template := range catalog.Templates() {
		for seed := range int64(30) {
			_, texts, err := grow.Grow(template, seed, 40)
			if err != nil {
				t.Fatal(err)
			}
			for path := range texts {
				if role := codebase.RoleOf(path); role == codebase.Vendored || role == codebase.Generated {
					t.Errorf("%s, seed %d: %s is called %s", template.Name, seed, path, role)
				}
				if strings.Contains(path, "/vendor/") {
					sellers++
				}
			}
		}
	}
	if sellers == 0 {
		t.Error("no project has a package of vendors: nothing was tried")
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ open, data, want, hint string }{
		"no such name":      {"orchestratoin", "", `there is no environment "orchestratoin"`, "did you mean orchestration?"},
		"near a data one":   {"quixbug", "", `there is no environment "quixbug"`, "did you mean quixbugs?"},
		"nothing near":      {"x", "", `there is no environment "x"`, "a path opens the tasks that stand there"},
		"no path":           {"./x", "", "./x: no such file or directory", "deeprepo env generate"},
		"no programs":       {"quixbugs", "", "quixbugs needs its programs", "--data DIR"},
		"not the programs":  {"quixbugs", dir, "programs.jsonl: no such file", "programs.jsonl"},
		"no records":        {"localisation", "", "localisation needs records", "--repos DIR"},
		"not the records":   {"localisation", filepath.Join(dir, "r.jsonl"), "r.jsonl: no such file", "instance_id"},
		"no mini.json":      {"orchestration-v1", filepath.Join(dir, "mini.json"), "no file ", "--data FILE"},
		"an empty set":      {dir, "", "the directory holds no task", "truth.json"},
		"name of a dir too": {"localisation/", "", "localisation/: no such file", "deeprepo env generate"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			o.Data = c.data
			e, err := catalog.Open(context.Background(), c.open, o)
			if err == nil || e != nil || !strings.Contains(err.Error(), c.want) || hint.Of(err) == "" || !strings.Contains(hint.Of(err), c.hint) {
				t.Errorf("%v with %v, want %q and the hint %q", e, err, c.want, c.hint)
			}
		})
	}
}

// TestReposBesideRecords has the checkouts where they are looked for without --repos.
func TestReposBesideRecords(t *testing.T) {
	dir := t.TempDir()
	record := `{"instance_id": "a", "repo": "acme/shop", "base_commit": "0123456", "problem_statement": "x", "gold_files": ["x.py"]}`
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "r.jsonl"), []byte(record), 0o644),
		os.MkdirAll(filepath.Join(dir, "repos/acme__shop"), 0o755)); err != nil {
		t.Fatal(err)
	}
	o := options(t)
	o.Data = filepath.Join(dir, "r.jsonl")
	e, err := catalog.Open(context.Background(), "localisation", o)
	if err != nil || !e.About().Fixed || e.Size(env.Selection{}) != 1 {
		t.Errorf("%v, %v", e, err)
	}
	o.Repos = t.TempDir()
	if _, err := catalog.Open(context.Background(), "localisation", o); err == nil {
		t.Error("--repos means nothing")
	}
}

func TestList(t *testing.T) {
	list, err := catalog.List(context.Background(), options(t))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name)
		if e.Summary == "" || len(e.Parts) == 0 {
			t.Errorf("%+v", e)
		}
		if e.Data != "" { // the others were opened for the list, without data
			if _, err := catalog.Open(context.Background(), e.Name, options(t)); err == nil {
				t.Errorf("%s is opened without %s", e.Name, e.Data)
			}
		}
	}
	if d := cmp.Diff(catalog.Names(), names); d != "" {
		t.Error(d)
	}
	for _, name := range []string{"orchestration", "orchestration-v1", "quixbugs", "localisation"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not among %v", name, names)
		}
	}
}
