package taskset

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

// Texts of a small generated task.
const (
	storeText = "import sqlite3\n\n\ndef find(db, name):\n    return db.execute(\"select * from t where n = '%s'\" % name)\n"
	truthText = `[
  {
    "file": "app/store.py", "line": 5, "end_line": 5, "category": "injection", "cwe": "CWE-89",
    "severity": "critical", "description": "The name goes into the query.", "cross_file": false
  }
]
`
	decoysText = `[{"file": "app/store.py", "line": 4, "end_line": 4, "category": "logic", "why": "It is right."}]`
)

func under(dir string, files map[string]string) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		out[filepath.Join(dir, name)] = text
	}
	return out
}

func generated() map[string]string {
	return map[string]string{"tree/app/store.py": storeText, "tree/.gitignore": "*.log\n", "truth.json": truthText, "decoys.json": decoysText}
}

func merge(all ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range all {
		maps.Copy(out, m)
	}
	return out
}

func TestOpenGeneratedDirectory(t *testing.T) {
	dir := filepath.Join(runtest.Tree(t, under("shop 1", generated())), "shop 1")
	s, err := Open(context.Background(), dir+"/")
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "shop-1" || len(s.Tasks) != 1 {
		t.Fatalf("set %q of %d tasks, want shop-1 of one", s.Name, len(s.Tasks))
	}
	got := s.Tasks[0]
	want := []env.Defect{{File: "app/store.py", Line: 5, EndLine: 5, Category: "injection", CWE: "CWE-89", Severity: "critical",
		Description: "The name goes into the query."}}
	if d := cmp.Diff(want, got.Defects); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]env.Decoy{{File: "app/store.py", Line: 4, EndLine: 4, Category: "logic", Why: "It is right."}}, got.Decoys); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{".gitignore", "app/store.py"}, got.Codebase.Paths()); d != "" {
		t.Errorf("the truth, or something else beside the tree, is part of the codebase: %s", d)
	}
	if got.Language != "python" || got.Split != env.Train {
		t.Errorf("language %q, split %q", got.Language, got.Split)
	}
	if !strings.HasPrefix(got.ID, "shop-1@") || len(got.ID) != len("shop-1@")+12 {
		t.Errorf("ID %q, want shop-1@ and a digest", got.ID)
	}
}

// TestDigest changes what a task is about: its ID must follow, or results over different tasks could be compared.
func TestDigest(t *testing.T) {
	id := func(change map[string]string) string {
		dir := filepath.Join(runtest.Tree(t, under("shop", merge(generated(), change))), "shop")
		s, err := Open(context.Background(), dir)
		if err != nil {
			t.Fatal(err)
		}
		return s.Tasks[0].ID
	}
	base := id(nil)
	if again := id(nil); again != base {
		t.Errorf("the same files give %s and %s", base, again)
	}
	for what, change := range map[string]map[string]string{
		"code":   {"tree/app/store.py": storeText + "\n"},
		"truth":  {"truth.json": strings.Replace(truthText, "critical", "high", 1)},
		"decoys": {"decoys.json": "[]"},
	} {
		if other := id(change); other == base {
			t.Errorf("other %s, the same ID", what)
		}
	}
}

func TestOpenDirectoryOfDirectories(t *testing.T) {
	dir := runtest.Tree(t, merge(under("b", generated()), under("a", generated()), map[string]string{"notes.txt": "x", "other/readme": "x"}))
	s, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, task := range s.Tasks {
		id, _, _ := strings.Cut(task.ID, "@")
		ids = append(ids, strings.TrimPrefix(id, s.Name+"/"))
	}
	if d := cmp.Diff([]string{"a", "b"}, ids); d != "" {
		t.Error(d)
	}
}

// TestDirectoryErrors breaks one file each: the error names it, and the line where there is one.
func TestDirectoryErrors(t *testing.T) {
	element := func(change ...string) string { return strings.NewReplacer(change...).Replace(truthText) }
	for name, c := range map[string]struct {
		change map[string]string
		want   string
	}{
		"no truth":          {map[string]string{"truth.json": ""}, "truth.json:1: the JSON ends too early"},
		"no list":           {map[string]string{"truth.json": "{}"}, "truth.json:1: this is no JSON list"},
		"empty truth":       {map[string]string{"truth.json": "[]"}, "truth.json: the truth is empty"},
		"cut off":           {map[string]string{"truth.json": truthText[:40]}, "truth.json:3: the JSON ends too early"},
		"null":              {map[string]string{"truth.json": "[\n\nnull]"}, "truth.json:3: this is no JSON object"},
		"syntax":            {map[string]string{"truth.json": "[\n{\"file\": 'x'}]"}, "truth.json:2: invalid character"},
		"text behind":       {map[string]string{"truth.json": truthText + "\nx"}, "truth.json:8: text after the list"},
		"unknown field":     {map[string]string{"truth.json": element(`"cwe"`, `"cvss"`)}, `truth.json:2: unknown field "cvss"`},
		"wrong kind":        {map[string]string{"truth.json": element(`"line": 5`, `"line": "5"`)}, `truth.json:2: "line" cannot be a string`},
		"no file":           {map[string]string{"truth.json": element(`app/store.py`, `app/shop.py`)}, `truth.json:2: the codebase has no file "app/shop.py"`},
		"file missing":      {map[string]string{"truth.json": element(`app/store.py`, ``)}, `truth.json:2: file is missing`},
		"a way out":         {map[string]string{"truth.json": element(`app/store.py`, `../truth.json`)}, `has no file "../truth.json"`},
		"no line":           {map[string]string{"truth.json": element(`"line": 5, "end_line": 5, `, ``)}, `truth.json:2: line is missing`},
		"line too far":      {map[string]string{"truth.json": element(`: 5`, `: 6`)}, `truth.json:2: "app/store.py" has no line 6: it has 5`},
		"line negative":     {map[string]string{"truth.json": element(`"line": 5`, `"line": -1`)}, `truth.json:2: "app/store.py" has no line -1`},
		"end too far":       {map[string]string{"truth.json": element(`"end_line": 5`, `"end_line": 6`)}, `has no line 6`},
		"end before":        {map[string]string{"truth.json": element(`"end_line": 5`, `"end_line": 4`)}, `end_line 4 lies before line 5`},
		"category":          {map[string]string{"truth.json": element(`injection`, `injektion`)}, `category "injektion" is none of`},
		"no category":       {map[string]string{"truth.json": element(`injection`, ``)}, `category is missing`},
		"severity":          {map[string]string{"truth.json": element(`critical`, `severe`)}, `severity "severe" is none of`},
		"cwe":               {map[string]string{"truth.json": element(`CWE-89`, `89`)}, `cwe "89" is not written`},
		"twice":             {map[string]string{"truth.json": "[" + truthText[1:len(truthText)-3] + ",\n" + truthText[1:]}, `truth.json:7: the same defect stands in the list twice`},
		"decoy's file":      {map[string]string{"decoys.json": strings.Replace(decoysText, "store", "shop", 1)}, `decoys.json:1: the codebase has no file "app/shop.py"`},
		"decoy's field":     {map[string]string{"decoys.json": strings.Replace(decoysText, "why", "reason", 1)}, `decoys.json:1: unknown field "reason"`},
		"decoys cut off":    {map[string]string{"decoys.json": "["}, "decoys.json:1: the JSON ends too early"},
		"binary in a truth": {map[string]string{"tree/app/store.py": "\x00\x01\x02\x00", "truth.json": truthText}, `file "app/store.py" was not read`},
	} {
		t.Run(name, func(t *testing.T) {
			files := merge(generated(), map[string]string{"tree/app/other.py": "x = 1\n"}, c.change)
			_, err := Open(context.Background(), runtest.Tree(t, files))
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v, want a task error with %q", err, c.want)
			}
			if e.Hint() == "" {
				t.Error("there is no hint")
			}
		})
	}
}

func TestPathErrors(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		open  string
		want  string
	}{
		"nothing there":  {nil, "nope", "nope: no such file or directory"},
		"no task":        {map[string]string{"a.txt": "x", "sub/b.txt": "x"}, "", "the directory holds no task"},
		"no tree":        {map[string]string{"truth.json": truthText}, "", "tree: no directory with the codebase"},
		"tree is a file": {map[string]string{"truth.json": truthText, "tree": "x"}, "", "tree: no directory with the codebase"},
		"no truth":       {map[string]string{"tree/a.py": "x"}, "", "truth.json: no truth about the codebase"},
		"no truth below": {map[string]string{"one/tree/a.py": "x"}, "", "one/truth.json: no truth about the codebase"},
		"same name":      {merge(under("a b", generated()), under("a-b", generated())), "", `"a b" and "a-b" would both be called a-b`},
		"no line":        {map[string]string{"tasks.jsonl": "\n \n"}, "tasks.jsonl", "tasks.jsonl: the file holds no task"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(context.Background(), filepath.Join(runtest.Tree(t, c.files), c.open))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestLinksLeadNowhere puts links into a task's directory that lead out of it.
func TestLinksLeadNowhere(t *testing.T) {
	outside := runtest.Tree(t, generated())
	for name, c := range map[string]struct {
		link, to string
		keep     map[string]string
		want     string
	}{
		"tree":   {"tree", filepath.Join(outside, "tree"), map[string]string{"truth.json": truthText}, "tree: "},
		"truth":  {"truth.json", filepath.Join(outside, "truth.json"), map[string]string{"tree/app/store.py": storeText}, "truth.json: "},
		"decoys": {"decoys.json", filepath.Join(outside, "decoys.json"), map[string]string{"tree/app/store.py": storeText, "truth.json": truthText}, "decoys.json: "},
		"code":   {"tree/app", filepath.Join(outside, "tree/app"), map[string]string{"tree/x.py": "x", "truth.json": truthText}, "no file"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := runtest.Tree(t, c.keep)
			if err := os.Symlink(c.to, filepath.Join(dir, c.link)); err != nil {
				t.Skip("no links here: ", err)
			}
			s, err := Open(context.Background(), dir)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%d tasks and %v, want an error about %q", len(s.Tasks), err, c.want)
			}
		})
	}
}

func TestIs(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"here": "x"})
	for arg, want := range map[string]bool{filepath.Join(dir, "here"): true, "a/b": true, "./x": true, "tasks.jsonl": true,
		"orchestration": false} {
		if got := Is(arg); got != want {
			t.Errorf("Is(%q) = %v", arg, got)
		}
	}
	t.Chdir(dir)
	if !Is("here") {
		t.Error("a file of the working directory is not seen")
	}
}
