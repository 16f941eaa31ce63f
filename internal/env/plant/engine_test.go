package plant_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// at plants where a line "MARK n" says: an operator whose places the test chooses.
func at(name, mark, text string, change func(*plant.Operator)) plant.Operator {
	o := plant.Operator{Name: name, Language: "python", Category: "logic", Severity: "low"}
	o.Sites = func(p *plant.Project, path string) []plant.Site {
		var sites []plant.Site
		source, from := p.Text(path), 0
		for {
			i := strings.Index(source[from:], mark)
			if i < 0 {
				return sites
			}
			start := from + i
			sites = append(sites, plant.Site{Description: name + " at " + path,
				Edits: []plant.Edit{{File: path, Start: start, End: start + len(mark), Text: text}}})
			from = start + len(mark)
		}
	}
	if change != nil {
		change(&o)
	}
	return o
}

func lines(n int, marks map[int]string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		if m := marks[i]; m != "" {
			b.WriteString(m + "\n")
		} else {
			fmt.Fprintf(&b, "x%d = %d\n", i, i)
		}
	}
	return b.String()
}

func run(t *testing.T, files map[string]string, ops []plant.Operator, plan plant.Plan) plant.Planted {
	t.Helper()
	got, err := plant.Plant(context.Background(), runtest.Parser(t), files, ops, plan)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestTruthStandsWhereItSays(t *testing.T) {
	files := map[string]string{"a.py": lines(80, map[int]string{5: "one()", 40: "two()", 70: "one()"}),
		"b.py": lines(30, map[int]string{12: "two()"})}
	ops := []plant.Operator{
		at("python/grow", "one()", "if y:\n    ONE()\n    ONE()", nil),
		at("python/gone", "two()", "TWO()", func(o *plant.Operator) { o.Category = "auth" }),
	}
	got := run(t, files, ops, plant.Plan{Seed: 3, Defects: 4})
	if len(got.Defects) != 4 || len(got.Operators) != 4 {
		t.Fatalf("%d defects, %d operators", len(got.Defects), len(got.Operators))
	}
	for i, d := range got.Defects {
		text, ok := finding.Quote(got.Files[d.File], d.Line, d.EndLine)
		want := map[string]string{"python/grow": "if y:\n    ONE()\n    ONE()", "python/gone": "TWO()"}[got.Operators[i]]
		if !ok || text != want {
			t.Errorf("%s at %s:%d-%d stands %q", got.Operators[i], d.File, d.Line, d.EndLine, text)
		}
	}
	if files["a.py"] != lines(80, map[int]string{5: "one()", 40: "two()", 70: "one()"}) {
		t.Error("the program that was given was changed")
	}
}

func TestPlantsKeepApartParseAndSpread(t *testing.T) {
	files := map[string]string{
		"near.py":         lines(60, map[int]string{10: "one()", 14: "one()", 40: "one()"}),
		"other.py":        lines(20, map[int]string{10: "one()"}),
		"tests/test_a.py": lines(20, map[int]string{10: "one()"}),
		"notes.md":        "one()\n",
	}
	got := run(t, files, []plant.Operator{at("python/one", "one()", "ONE()", nil)}, plant.Plan{Seed: 1, Defects: 99})
	if len(got.Defects) != 3 {
		t.Errorf("%d plants, want two in near.py, one in other.py, none in the test and the notes: %+v", len(got.Defects), got.Defects)
	}
	two := run(t, files, []plant.Operator{at("python/one", "one()", "ONE()", nil)}, plant.Plan{Seed: 1, Defects: 2})
	if len(two.Defects) != 2 || two.Defects[0].File == two.Defects[1].File {
		t.Errorf("two plants should be in two files: %+v", two.Defects)
	}
	broken := run(t, files, []plant.Operator{at("python/broken", "one()", "def (", nil)}, plant.Plan{Seed: 1, Defects: 2})
	if len(broken.Defects) != 0 || !cmp.Equal(broken.Files, files) {
		t.Errorf("a plant that breaks the syntax was kept: %+v", broken.Defects)
	}
	outside := at("python/outside", "one()", "", func(o *plant.Operator) {
		o.Sites = func(*plant.Project, string) []plant.Site {
			return []plant.Site{{Description: "x", Edits: []plant.Edit{{File: "other.py", Start: 3, End: 9999, Text: "z"}}}}
		}
	})
	if got := run(t, files, []plant.Operator{outside}, plant.Plan{Defects: 1}); len(got.Defects) != 0 {
		t.Error("an edit outside its file was made")
	}
}

func TestKindsOfPlant(t *testing.T) {
	marks := map[int]string{}
	for i := 1; i < 200; i += 20 {
		marks[i] = []string{"one()", "two()", "three()"}[i/20%3]
	}
	files := map[string]string{"a.py": lines(200, marks), "b.py": lines(200, marks)}
	ops := []plant.Operator{
		at("python/one", "one()", "ONE()", nil),
		at("python/two", "two()", "TWO()", func(o *plant.Operator) { o.CrossFile = true }),
		at("python/three", "three()", "THREE()", func(o *plant.Operator) { o.Decoy = true }),
	}
	got := run(t, files, ops, plant.Plan{Seed: 9, Defects: 5, CrossFile: 2, Decoys: 3})
	cross := 0
	for _, d := range got.Defects {
		if d.CrossFile {
			cross++
		}
	}
	if len(got.Defects) != 5 || cross != 2 || len(got.Decoys) != 3 {
		t.Errorf("%d defects, %d of them cross-file, %d decoys", len(got.Defects), cross, len(got.Decoys))
	}
}

// TestEqualArgumentsEqualBytes checks the invariants on random programs, twice each.
func TestEqualArgumentsEqualBytes(t *testing.T) {
	p := runtest.Parser(t)
	rapid.Check(t, func(t *rapid.T) {
		files := map[string]string{}
		for i := range rapid.IntRange(1, 5).Draw(t, "files") {
			marks := map[int]string{}
			for _, line := range rapid.SliceOfN(rapid.IntRange(1, 90), 0, 9).Draw(t, "lines") {
				marks[line] = rapid.SampledFrom([]string{"one()", "two()"}).Draw(t, "mark")
			}
			files[fmt.Sprintf("f%d.py", i)] = lines(90, marks)
		}
		ops := []plant.Operator{at("python/one", "one()", "if y:\n    ONE()", nil),
			at("python/two", "two()", "TWO(\n)", func(o *plant.Operator) { o.Category = "auth" })}
		plan := plant.Plan{Seed: rapid.Int64().Draw(t, "seed"), Defects: rapid.IntRange(0, 8).Draw(t, "defects")}
		first, err := plant.Plant(context.Background(), p, files, ops, plan)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(ops)
		second, err := plant.Plant(context.Background(), p, files, ops, plan)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, second); diff != "" {
			t.Fatal(diff)
		}
		for i, d := range first.Defects {
			for j, other := range first.Defects {
				if i < j && d.File == other.File && other.Line-d.EndLine < plant.Apart {
					t.Fatalf("%+v and %+v are too near", d, other)
				}
			}
			if text, ok := finding.Quote(first.Files[d.File], d.Line, d.EndLine); !ok ||
				!strings.Contains(text, "ONE(") && !strings.Contains(text, "TWO(") {
				t.Fatalf("%+v: %q", d, text)
			}
		}
		if len(first.Defects) > plan.Defects {
			t.Fatalf("%d planted, %d wanted", len(first.Defects), plan.Defects)
		}
	})
}

func TestACanceledPlantIsNoResult(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := plant.Plant(ctx, runtest.Parser(t), map[string]string{"a.py": "one()\n"}, []plant.Operator{at("python/one", "one()",
		"ONE()", nil)},
		plant.Plan{Defects: 1}); err == nil {
		t.Error("no error")
	}
}
