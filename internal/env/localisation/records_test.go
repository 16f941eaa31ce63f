package localisation

import (
	"errors"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/google/go-cmp/cmp"
)

const record = `{"instance_id": "acme__shop-1", "repo": "acme/shop", "base_commit": "0123456789abcdef", "problem_statement": "it fails", ` +
	`"patch": "--- a/shop/price.py\n+++ b/shop/price.py\n@@ -3 +3 @@\n-a\n+b\n` +
	`--- a/tests/test_price.py\n+++ b/tests/test_price.py\n@@ -1 +1 @@\n-a\n+b\n", ` +
	`"hints_text": "", "FAIL_TO_PASS": "[\"test_a\"]", "version": "1.2"}`

func TestReadRecords(t *testing.T) {
	named := strings.NewReplacer("shop-1", "shop-2", `"hints_text": ""`, `"gold_files": ["b.py", "a.py", "b.py"]`,
		`"[\"test_a\"]"`, `["test_a", "test_b"]`).Replace(record)
	got, err := ReadRecords(strings.NewReader(record+"\n\n"+named), "lite.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].InstanceID != "acme__shop-1" || got[0].Repo != "acme/shop" || got[0].Issue != "it fails" {
		t.Fatalf("%+v", got)
	}
	if r := got[0]; r.Version != "1.2" || !cmp.Equal(r.FailToPass, []string{"test_a"}) {
		t.Errorf("version %q, tests %q of a text that holds a list", r.Version, r.FailToPass)
	}
	if d := cmp.Diff([]string{"test_a", "test_b"}, got[1].FailToPass); d != "" {
		t.Errorf("tests of a list: %s", d)
	}
	if d := cmp.Diff([]string{"shop/price.py"}, got[0].GoldFiles); d != "" {
		t.Errorf("gold files are those of the patch that are no tests: %s", d)
	}
	if d := cmp.Diff([]string{"b.py", "a.py"}, got[1].GoldFiles); d != "" {
		t.Errorf("gold files that are named win over the patch: %s", d)
	}
}

// TestRecordErrors has a good record before every bad one: the error names line 2.
func TestRecordErrors(t *testing.T) {
	change := func(pairs ...string) string {
		return strings.NewReplacer(append(pairs, "shop-1", "shop-2")...).Replace(record)
	}
	for name, c := range map[string]struct{ line, want string }{
		"no JSON":       {"x", "this is no JSON object of a record"},
		"wrong kind":    {change(`"acme/shop"`, `1`), "this is no JSON object of a record"},
		"same id":       {record, `instance_id "acme__shop-1" is that of line 1`},
		"no id":         {change("acme__shop-1", ""), `instance_id "" is missing`},
		"odd id":        {change("acme__shop-1", "../x"), `instance_id "../x" is missing or odd`},
		"no repository": {change("acme/shop", "shop"), `repo "shop" is not written owner/name`},
		"leads out":     {change("acme/shop", "../shop"), `repo "../shop" is not written owner/name`},
		"leads out too": {change("acme/shop", "acme/.."), `repo "acme/.." is not written owner/name`},
		"deep":          {change("acme/shop", "acme/shop/x"), `is not written owner/name`},
		"no commit":     {change("0123456789abcdef", "--help"), `base_commit "--help" is no commit`},
		"no issue":      {change("it fails", ""), "problem_statement is missing"},
		"bad patch":     {change(`@@ -3`, `@@ 3`, `@@ -1 +1`, `@@ -1 +2,2`), "patch, line"},
		"odd tests":     {change(`"[\"test_a\"]"`, `"test_a"`), "FAIL_TO_PASS is no list of tests"},
		"only tests":    {change("shop/price.py", "tests/x.py"), "there is no gold file"},
		"no patch":      {change(`"patch"`, `"test_patch"`), "there is no gold file"},
		"empty gold":    {change(`"hints_text": ""`, `"gold_files": []`), "there is no gold file"},
		"gold leads out": {change(`"hints_text": ""`, `"gold_files": ["../x"]`),
			`gold_files: "../x" is no path in a repository`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadRecords(strings.NewReader(record+"\n"+c.line), "lite.jsonl")
			var e *taskset.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), "lite.jsonl:2: ") || !strings.Contains(err.Error(), c.want) ||
				e.Hint() != recordsHint {
				t.Errorf("%v, want an error about line 2 with %q", err, c.want)
			}
		})
	}
	if _, err := ReadRecords(strings.NewReader("\n"), "lite.jsonl"); err == nil || !strings.Contains(err.Error(), "the file holds no record") {
		t.Error(err)
	}
	if _, err := OpenRecords("testdata/nope.jsonl"); err == nil || !strings.Contains(err.Error(), "nope.jsonl: no such file") {
		t.Error(err)
	}
}

// FuzzReadRecords reads any text as records: what is accepted can be played without leaving the directory of checkouts.
func FuzzReadRecords(f *testing.F) {
	f.Add(record)
	f.Add(`{"instance_id":"a","repo":"a/b","base_commit":"aaaaaaa","problem_statement":"x","gold_files":["x"]}`)
	f.Fuzz(func(t *testing.T, text string) {
		records, err := ReadRecords(strings.NewReader(text), "x")
		if err != nil {
			return
		}
		for _, r := range records {
			dir := Config{Repos: "/checkouts"}.dir(r.Repo)
			if rest, ok := strings.CutPrefix(dir, "/checkouts/"); !ok || rest == "" || strings.Contains(rest, "/") || len(r.GoldFiles) == 0 ||
				strings.HasPrefix(r.BaseCommit, "-") {
				t.Fatalf("%q: %+v", dir, r)
			}
		}
	})
}
