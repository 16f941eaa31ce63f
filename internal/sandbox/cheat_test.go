package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

type cheat struct {
	name, what string
	verdict    Verdict // "" means any but passed
	p          Program
}

// loadPrograms reads programs with their tests: those of tests.txtar that the head names, or their own after a line "# tests".
func loadPrograms(t testing.TB, kind string) []cheat {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/tests.txtar")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{}
	for _, f := range archive.Files {
		tests[f.Name] = string(f.Data)
	}
	paths, err := filepath.Glob("testdata/" + kind + "s/*.py")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	var all []cheat
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		code, own, _ := strings.Cut(string(b), "\n# tests\n")
		c := cheat{name: strings.TrimSuffix(filepath.Base(path), ".py")}
		test := tests["number"]
		for line := range strings.Lines(code) {
			key, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "#")), ": ")
			if !ok || !strings.HasPrefix(line, "#") {
				break
			}
			switch key {
			case kind:
				c.what = value
			case "test":
				if test = tests[value]; test == "" {
					t.Fatalf("%s: no test %q", path, value)
				}
			case "verdict":
				c.verdict = Verdict(value)
			case "names":
				c.p.Names = strings.Fields(value)
			default:
				t.Fatalf("%s: unknown head line %q", path, line)
			}
		}
		if c.what == "" {
			t.Fatalf("%s: no head", path)
		}
		if own != "" {
			test = own
		}
		c.p.Code, c.p.Entry, c.p.Tests = code, "solve", []Test{{Name: c.name, Code: test}}
		c.p.Limits = Limits{Wall: 4 * time.Second, Steps: 3_000_000, MemoryBytes: 64 << 20}
		all = append(all, c)
	}
	return all
}

// TestCheats judges every program of testdata/cheats: none may pass, and each is judged, not excused.
func TestCheats(t *testing.T) {
	e := open(t, Config{})
	all := loadPrograms(t, "cheat")
	if len(all) < 90 {
		t.Errorf("only %d cheats", len(all))
	}
	for _, c := range all {
		t.Run(c.name, func(t *testing.T) {
			j := judged(t, e, c.p)
			if j.Verdict == Passed || j.Verdict == InfraError || c.verdict != "" && j.Verdict != c.verdict {
				t.Errorf("%s: verdict %s, want %q: %+v", c.what, j.Verdict, c.verdict, j.Error)
			}
			if !slices.Contains(Verdicts(), j.Verdict) {
				t.Errorf("unknown verdict %q", j.Verdict)
			}
		})
	}
}

// TestHonest judges every program of testdata/honests: all must pass, so that no cheat fails merely because its kind
// of program is not understood.
func TestHonest(t *testing.T) {
	e := open(t, Config{})
	for _, c := range loadPrograms(t, "honest") {
		t.Run(c.name, func(t *testing.T) {
			if j := judged(t, e, c.p); j.Verdict != Passed {
				t.Errorf("%s: verdict %s: %+v", c.what, j.Verdict, j.Error)
			}
		})
	}
}
