package bench

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/hint"
)

// whole is a spec without fault, of which tests spoil a part.
const wholeSpec = `
target = "b"
[[codebase]]
environment = "orchestration"
count = 2
seed = 3
[[config]]
name = "a"
root = "policy/honest"
worker = "sim"
[[config]]
name = "b"
root = "offline/rules"
strategy = "single"
`

func TestParse(t *testing.T) {
	s, err := Parse([]byte(wholeSpec))
	if err != nil {
		t.Fatal(err)
	}
	if s.Repeats != 1 || s.Concurrency != 8 || s.Coverage != 0.9 || s.Configs[0].Strategy != "rlm" {
		t.Errorf("defaults: %+v", s)
	}
	if len(s.Codebases) != 2 || s.Codebases[0].Index != 0 || s.Codebases[1].Index != 1 || s.Codebases[1].Seed != 3 {
		t.Errorf("count: %+v", s.Codebases)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ from, to, want, hint string }{
		{`seed = 3`, `sead = 3`, `line 6: unknown key "codebase.sead"`, "seed"},
		{`seed = 3`, `seed = "three"`, "line 6, column", ""},
		{`seed = 3`, `seed = `, "line 6, column", ""},
		{`target = "b"`, `target = "c"`, `target = "c" names no configuration`, ""},
		{`target = "b"`, `repeats = -1`, "repeats = -1", ""},
		{`target = "b"`, `repeats = 1000000`, "repeats = 1000000", ""},
		{`target = "b"`, `budget = 0`, "budget = 0", "5.0"},
		{`target = "b"`, `budget = nan`, "budget = NaN", "5.0"},
		{`target = "b"`, `coverage = 90`, "coverage = 90", "0.9"},
		{`target = "b"`, `concurrency = -1`, "concurrency", ""},
		{`name = "a"`, `name = " "`, "[[config]] 1 has no name", ""},
		{`name = "a"`, `name = "b"`, `two configurations called "b"`, ""},
		{`name = "a"`, `name = "` + strings.Repeat("n", 300) + `"`, "longer than", ""},
		{`root = "policy/honest"`, ``, "[[config]] 1 has no root", ""},
		{`worker = "sim"`, ``, "[[config]] 1 has no worker", "rules"},
		{`worker = "sim"`, "worker = \"sim\"\nmax_turns = -1", "max_turns", ""},
		{`strategy = "single"`, `strategy = "best"`, `no strategy "best"`, "rlm+gate"},
		{`strategy = "single"`, "strategy = \"single\"\nworker = \"rules\"", "strategy single has no worker", ""},
		{`environment = "orchestration"`, ``, "needs a path or an environment", ""},
		{`environment = "orchestration"`, "environment = \"orchestration\"\npath = \"x\"", "needs a path or an environment", ""},
		{`environment = "orchestration"`, "path = \"x\"", "do not go with path", ""},
		{"environment = \"orchestration\"\ncount = 2\nseed = 3", "path = \"x\"", "worker sim only reads generated codebases", "rules"},
		{`seed = 3`, "truth = \"t.json\"", "brings its own truth", ""},
		{`seed = 3`, "index = -1", "cannot be negative", ""},
		{`count = 2`, "count = 100000", "count = 100000", ""},
	} {
		text := strings.Replace(wholeSpec, c.from, c.to, 1)
		if text == wholeSpec {
			t.Fatalf("%q is not in the spec", c.from)
		}
		_, err := Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %q", c.to, c.from, err, c.want)
			continue
		}
		if !hint.Advises(err) || !strings.Contains(hint.Of(err), c.hint) {
			t.Errorf("%q: no hint with %q", c.to, c.hint)
		}
	}
	for _, empty := range []string{"", "[[codebase]]\npath = \"x\"", "[[config]]\nname = \"a\"\nroot = \"x/y\"\nworker = \"rules\""} {
		if _, err := Parse([]byte(empty)); err == nil {
			t.Errorf("no error for %q", empty)
		}
	}
}

// Whatever a file says, what is parsed keeps the bounds, and directories stay below the bench's own.
func FuzzParse(f *testing.F) {
	f.Add([]byte(wholeSpec))
	f.Add([]byte("[[config]]\nname = \"../../x\"\nroot = \"a/b\"\nworker = \"rules\"\n[[codebase]]\npath = \"..\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err != nil {
			return
		}
		if len(s.Configs) == 0 || len(s.Codebases) == 0 || len(s.Codebases) > maxCodebases || s.Repeats < 1 {
			t.Fatalf("accepted: %+v", s)
		}
		for i, c := range s.Configs {
			checkPlace(t, place(runsName, i, c.Name))
		}
	})
}

func checkPlace(t *testing.T, p string) {
	t.Helper()
	rest, ok := strings.CutPrefix(p, runsName+"/")
	if !ok || strings.ContainsAny(rest, "/\\\x00\n ") || strings.HasPrefix(rest, ".") || strings.HasSuffix(rest, ".") || len(rest) > 60 {
		t.Errorf("place %q", p)
	}
}

func TestPlaces(t *testing.T) {
	for _, name := range []string{"..", "../../etc/passwd", "/abs", "a/b", "\x1b[31m", "", "....", "CON", "é", strings.Repeat("é", 200),
		"-rf", "x\x00y"} {
		checkPlace(t, place(runsName, 0, name))
	}
	if a, b := place("", 0, "a/b"), place("", 1, "a?b"); a == b {
		t.Error("two configurations share a directory")
	}
}
