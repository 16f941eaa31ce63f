package finding

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func found(file string, line int, category, title, evidence string) Finding {
	return Finding{File: file, Line: line, EndLine: line, Category: category, Title: title, Evidence: evidence, Severity: "high",
		Grounded: true}
}

func identified(fs ...Finding) []Finding {
	identify(fs, nil)
	return fs
}

func TestFingerprint(t *testing.T) {
	one := found("a.py", 3, "injection", "Query built by hand", "db.run(\"select \" + name)")
	for what, other := range map[string]struct {
		change func(f *Finding)
		same   bool
	}{
		"another line":        {func(f *Finding) { f.Line, f.EndLine = 90, 91 }, true},
		"another file":        {func(f *Finding) { f.File = "b/c.py" }, true},
		"formatted":           {func(f *Finding) { f.Evidence = "\tdb.run(\n\t\t\"select \"  + name )" }, true},
		"other words":         {func(f *Finding) { f.Title, f.Explanation = "SQL injection", "More" }, true},
		"another severity":    {func(f *Finding) { f.Severity = "low" }, true},
		"other code":          {func(f *Finding) { f.Evidence = "db.run(\"select \" + id)" }, false},
		"another category":    {func(f *Finding) { f.Category = "logic" }, false},
		"no longer confirmed": {func(f *Finding) { f.Grounded = false }, false},
	} {
		f := one
		other.change(&f)
		if same := Fingerprint(f) == Fingerprint(one); same != other.same {
			t.Errorf("%s: the same fingerprint: %v", what, same)
		}
	}
	merged := Merge([]Finding{one})
	if len(Fingerprint(one)) != 16 || merged[0].Fingerprint != Fingerprint(one) {
		t.Errorf("%+v", merged[0])
	}
}

func TestPersisting(t *testing.T) {
	const query = "db.run(\"select * from users where name = \" + name)"
	for name, tt := range map[string]struct {
		old, now []Finding
		want     []int
	}{
		"moved down": {identified(found("a.py", 3, "injection", "Query", query)), identified(found("a.py", 30, "injection", "Query", query)),
			[]int{0}},
		"the nearest of equal ones": {
			identified(found("a.py", 10, "logic", "Swallowed", "pass"), found("a.py", 50, "logic", "Swallowed", "pass")),
			[]Finding{found("a.py", 52, "logic", "Swallowed", "pass")}, []int{1}},
		"in a file that was renamed": {identified(found("a.py", 3, "logic", "Swallowed", "pass")),
			identified(found("b.py", 3, "logic", "Swallowed", "pass")), []int{0}},
		"little code in another file that has other findings": {
			identified(found("a.py", 3, "logic", "Swallowed", "pass"), found("a.py", 9, "xss", "Unescaped", "echo(name)")),
			identified(found("b.py", 3, "logic", "Swallowed", "pass"), found("a.py", 9, "xss", "Unescaped", "echo(name)")), []int{-1, 1}},
		"much code in another file that has other findings": {
			identified(found("a.py", 3, "injection", "Query", query), found("a.py", 9, "xss", "Unescaped", "echo(name)")),
			identified(found("b.py", 3, "injection", "Query", query), found("a.py", 9, "xss", "Unescaped", "echo(name)")), []int{0, 1}},
		"other code, a similar title": {identified(found("a.py", 3, "auth", "No login check on delete", "def delete():")),
			identified(found("a.py", 5, "auth", "No login check on delete", "def delete(self):")), []int{0}},
		"a similar title in a file that was renamed": {
			identified(found("a.py", 3, "auth", "No login check on delete", "def delete():"), found("a.py", 9, "xss", "Unescaped", "echo(name)")),
			identified(found("b.py", 3, "auth", "No login check on delete", "def delete(self):"), found("b.py", 9, "xss", "Unescaped", "echo(name)")),
			[]int{0, 1}},
		"one old one stands for one new one": {identified(found("a.py", 3, "xss", "Unescaped name", "echo(name)")),
			identified(found("a.py", 3, "xss", "Unescaped name", "echo(name)"), found("a.py", 8, "xss", "Unescaped name", "echo(name)")),
			[]int{0, -1}},
		"reports without fingerprints": {[]Finding{{File: "a.py", Category: "xss", Title: "x"}},
			[]Finding{{File: "b.py", Category: "xss", Title: "y"}},
			[]int{-1}},
	} {
		for _, f := range tt.now {
			if f.Fingerprint == "" && f.Evidence != "" {
				tt.now[0].Fingerprint = Fingerprint(f) // an ID of its own: only code and line can tell
			}
		}
		if got := Persisting(tt.old, tt.now); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// TestPersistingOfMany: a report of a stranger's with any number of equal findings is compared in a moment. With each pair
// looked at it took minutes, and all memory.
func TestPersistingOfMany(t *testing.T) {
	many := func(text func(i int) string) []Finding {
		fs := make([]Finding, 100_000)
		for i := range fs {
			fs[i] = found("a.py", i+1, "logic", text(i), text(i))
			fs[i].Fingerprint = Fingerprint(fs[i])
		}
		return fs
	}
	equal := many(func(int) string { return "pass" })
	if of := Persisting(equal, equal); of[0] != 0 || of[99_999] != 99_999 {
		t.Errorf("equal ones: %d, %d", of[0], of[99_999])
	}
	other := func(name string) []Finding { return many(func(i int) string { return fmt.Sprint(name, i) }) }
	if of := Persisting(other("a"), other("b")); of[0] != -1 {
		t.Errorf("others: %d", of[0])
	}
}

// TestPersistingIsAMatching: each old finding is used once, equal lists match entirely, and whoever is renamed alone is known
// again.
func TestPersistingIsAMatching(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) []Finding {
			return identified(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Finding {
				return found(fmt.Sprintf("f%d.py", rapid.IntRange(0, 2).Draw(t, "file")), rapid.IntRange(1, 40).Draw(t, "line"),
					rapid.SampledFrom([]string{"logic", "xss"}).Draw(t, "category"), rapid.SampledFrom([]string{"One thing", "Other"}).Draw(t, "title"),
					rapid.SampledFrom([]string{"pass", "a = b", "some_longer_code_that_tells(enough, of, itself)"}).Draw(t, "code"))
			}), 0, 12).Draw(t, name)...)
		}
		old, now := draw("old"), draw("now")
		used := map[int]bool{}
		for i, k := range Persisting(old, now) {
			if k >= 0 && (used[k] || old[k].Category != now[i].Category) {
				t.Fatalf("%d is used twice, or is something else", k)
			}
			used[k] = true
		}
		if slices.Contains(Persisting(old, old), -1) {
			t.Fatal("a list does not match itself")
		}
		renamed := slices.Clone(old)
		for i := range renamed {
			renamed[i].File = "moved/" + renamed[i].File
		}
		if slices.Contains(Persisting(old, identified(renamed...)), -1) {
			t.Fatal("all files were renamed")
		}
	})
}
