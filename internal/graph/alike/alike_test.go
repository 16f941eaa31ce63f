package alike

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// handler is a function that is written for one thing or another.
func handler(thing, check, compare, commit string) string {
	return fmt.Sprintf("def save_%[1]s(self, user, %[1]s):\n    \"\"\"Saves it.\"\"\"\n%[2]s    if %[1]s.size %[3]s LIMIT:  # too many\n"+
		"        raise TooMany(\"no %[1]s\")\n    self.rows[%[1]s.id] = %[1]s\n%[4]s    return %[1]s.id\n", thing, check, compare, commit)
}

const guard, stored = "    if not user.may(\"write\"):\n        raise Denied()\n", "    self.db.commit()\n"

func pieces(texts ...string) []Piece {
	var all []Piece
	for i, text := range texts {
		all = append(all, Piece{Name: fmt.Sprint("f", i), Tokens: Tokens("python", text, 1, nil)})
	}
	return all
}

func things() []string {
	var texts []string
	for _, thing := range []string{"order", "customer", "parcel", "depot", "route_plan", "invoice"} {
		texts = append(texts, handler(thing, guard, ">", stored))
	}
	return texts
}

func TestRenamedSiblingsDoNotDepart(t *testing.T) {
	all := pieces(things()...)
	if groups := Groups(all); len(groups) != 1 || len(groups[0]) != 6 {
		t.Fatalf("groups: %v", groups)
	}
	if got := Compare(all).Departures; len(got) > 0 {
		t.Errorf("departures: %+v", got)
	}
}

func TestOneThatDeparts(t *testing.T) {
	for name, c := range map[string]struct {
		text, has, usual string
		line             int
	}{
		"comparison":    {handler("depot", guard, ">=", stored), ">=", ">", 5},
		"no check":      {handler("depot", "", ">", stored), "", "not user.may(", 3},
		"not stored":    {handler("depot", guard, ">", ""), "", "self.db.commit()", 8},
		"other name":    {strings.Replace(handler("depot", guard, ">", stored), "[depot.id]", "[user.id]", 1), "user", "depot", 7},
		"other call":    {strings.Replace(handler("depot", guard, ">", stored), "Denied()", "None", 1), "None", "Denied()", 4},
		"comment":       {handler("depot", guard, ">", stored) + "# a comment\n", "", "", 0},
		"another quote": {strings.ReplaceAll(handler("depot", guard, ">", stored), `"`, "'"), "", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			texts := things()
			texts[3] = c.text
			if name == "another quote" {
				texts[3] = strings.Replace(texts[3], "'''Saves it.'''", "", 1)
			}
			got := Compare(pieces(texts...)).Departures
			if c.line == 0 {
				if len(got) > 0 {
					t.Errorf("departures: %+v", got)
				}
				return
			}
			if len(got) == 0 || got[0].Piece != 3 || got[0].Line > c.line || got[0].EndLine < c.line ||
				!strings.Contains(got[0].Has, c.has) || !strings.Contains(got[0].Usual, c.usual) || got[0].Agree != 5 || got[0].Of != 6 {
				t.Errorf("departures: %+v", got)
			}
		})
	}
}

func TestTwoAgainstTwoIsNoMajority(t *testing.T) {
	texts := things()[:4]
	texts[0], texts[1] = handler("order", "", ">", stored), handler("customer", "", ">", stored)
	for _, d := range Compare(pieces(texts...)).Departures {
		if strings.Contains(d.Usual, "may") || strings.Contains(d.Has, "may") {
			t.Errorf("departure: %+v", d)
		}
	}
}

// The alignment is one: in order, of equal keys, and as short a way as there is for what is only inserted.
func TestDiff(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		a := make([]int32, r.IntN(30))
		for i := range a {
			a[i] = int32(r.IntN(5))
		}
		b := slices.Clone(a)
		edits := r.IntN(6)
		for range edits {
			if i := r.IntN(len(b) + 1); i < len(b) && r.IntN(2) == 0 {
				b = slices.Delete(b, i, i+1)
			} else {
				b = slices.Insert(b, i, int32(r.IntN(5)))
			}
		}
		at, ok := diff(a, b, edits)
		if !ok {
			t.Fatalf("%v and %v are not %d edits apart", a, b, edits)
		}
		last, same := int32(-1), 0
		for j, i := range at {
			if i < 0 {
				continue
			}
			if i <= last || a[i] != b[j] {
				t.Fatalf("%v and %v are aligned as %v", a, b, at)
			}
			last, same = i, same+1
		}
		if len(a)+len(b)-2*same > edits {
			t.Fatalf("%v and %v take %d edits, not %d", a, b, len(a)+len(b)-2*same, edits)
		}
	}
	if _, ok := diff([]int32{1, 2, 3}, []int32{4, 5, 6}, 5); ok {
		t.Error("six edits are five")
	}
}

func FuzzCompare(f *testing.F) {
	f.Add(handler("a", guard, ">", stored), "'''", "/* `")
	f.Add("x\n\"\"\"", "\\'", "f(\"\\")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		for _, family := range []string{"python", "go", "php"} {
			var all []Piece
			for _, text := range []string{a, b, c, a} {
				all = append(all, Piece{Tokens: Tokens(family, text, 1, nil)})
			}
			Groups(all)
			for _, d := range Compare(all).Departures {
				if lines := strings.Count([]string{a, b, c, a}[d.Piece], "\n") + 1; d.Line < 1 || d.EndLine < d.Line || d.EndLine > lines {
					t.Fatalf("%+v of %d lines", d, lines)
				}
			}
		}
	})
}
