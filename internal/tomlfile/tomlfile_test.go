package tomlfile

import (
	"errors"
	"strings"
	"testing"
)

type settings struct {
	Root  string `toml:"root"`
	Turns int    `toml:"turns"`
	Model map[string]struct {
		Input float64 `toml:"input"`
	} `toml:"model"`
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"root = \"a/b\"\nturns = 3\n[model.\"a/b\"]\ninput = 1.5\n", ""},
		{"", ""},
		{"root = \"a\"\nroots = \"b\"\n", `line 2: unknown key "roots"`},
		{"[model.\"a/b\"]\n\ninputs = 1.5\n", `line 3: unknown key "model.a/b.inputs"`},
		{"root = \"a\"\nturns = \"many\"\n", "line 2, column "},
		{"root = \"a\n", "line 1, column "},
		{"root = \"a\"\nroot = \"b\"\n", "line 2, column "},
	} {
		var s settings
		err := Decode([]byte(c.text), &s)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%q: %v", c.text, err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%q: %v, want %q...", c.text, err, c.want)
		case err != nil && strings.Contains(err.Error(), "toml:"):
			t.Errorf("%q: the library's name is in %q", c.text, err)
		}
		if c.want == "" && c.text != "" && (s.Root != "a/b" || s.Turns != 3 || s.Model["a/b"].Input != 1.5) {
			t.Errorf("%q: %+v", c.text, s)
		}
	}
}

// A key that somebody else reads is none of ours, but one in a table is.
func TestDecodeBesideOthers(t *testing.T) {
	var s settings
	if err := Decode([]byte("budget = 2\nroot = \"a\"\n"), &s, "budget"); err != nil || s.Root != "a" {
		t.Errorf("%v, %+v", err, s)
	}
	for text, want := range map[string]UnknownKey{
		"budget = 2\nbudgets = 3\n":     {2, "budgets"},
		"[model.\"a/b\"]\nbudget = 2\n": {2, "model.a/b.budget"},
	} {
		unknown, ok := errors.AsType[*UnknownKey](Decode([]byte(text), &s, "budget"))
		if !ok || *unknown != want {
			t.Errorf("%q: %+v, want %+v", text, unknown, want)
		}
	}
}

func TestLines(t *testing.T) {
	got := Lines([]byte("# what we use\nroot = \"a\"\ninclude = [\n \"x\",\n]\nbudget = 1\n\n[model.\"a/b\"]\ninput = 1\n"))
	want := map[string]int{"root": 2, "include": 3, "budget": 6, "model.a/b": 8}
	for key, line := range want {
		if got[key] != line {
			t.Errorf("%s stands in line %d, want %d: %v", key, got[key], line, got)
		}
	}
	if got := Lines([]byte("root = ")); len(got) != 0 {
		t.Errorf("a broken file: %v", got)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("root = \"a\"\nroots = \"b\"\n")
	f.Add("[model.\"a\"]\ninput = 1e400\n")
	f.Fuzz(func(t *testing.T, text string) {
		var s settings
		if err := Decode([]byte(text), &s); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
		for key, line := range Lines([]byte(text)) {
			if line < 1 {
				t.Errorf("%q stands in line %d", key, line)
			}
		}
	})
}
