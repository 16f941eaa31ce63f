package tomlfile

import (
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

func FuzzDecode(f *testing.F) {
	f.Add("root = \"a\"\nroots = \"b\"\n")
	f.Add("[model.\"a\"]\ninput = 1e400\n")
	f.Fuzz(func(t *testing.T, text string) {
		var s settings
		if err := Decode([]byte(text), &s); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
	})
}
