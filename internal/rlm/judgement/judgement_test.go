package judgement_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/rlm/judgement"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// claim is a grounded claim of one call.
func claim(key, file string, line int, category, title, severity string) finding.Finding {
	return finding.Finding{File: file, Line: line, EndLine: line, Category: category, Title: title, Severity: severity, Grounded: true,
		Evidence: fmt.Sprintf("code of line %d", line), Confidence: 0.5, Sources: []string{key}}
}

// booked is a book with one call's claims under each key.
func booked(b *judgement.Book, claims ...finding.Finding) {
	for _, c := range claims {
		b.Claim(c.Sources[0], judgement.Claims{Grounded: []finding.Finding{c}})
	}
}

// ids are the IDs of the open findings by "file:line".
func ids(s judgement.State) map[string]string {
	all := map[string]string{}
	for _, f := range s.Findings {
		all[fmt.Sprintf("%s:%d", f.File, f.Line)] = f.ID
	}
	return all
}

func must(t *testing.T) func(finding.Finding, error) finding.Finding {
	return func(f finding.Finding, err error) finding.Finding {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
}

func TestADismissedClaimStaysDismissed(t *testing.T) {
	var b judgement.Book
	booked(&b, claim("t1.d1", "a.py", 10, "logic", "wrong bound", "high"), claim("t1.d2", "a.py", 11, "logic", "bound is off", "high"),
		claim("t1.d3", "b.py", 10, "logic", "wrong bound", "high"), claim("t1.d4", "a.py", 40, "logic", "wrong bound", "high"))
	f := must(t)(b.Dismiss("t2.d1", ids(b.Show())["a.py:10"], "the bound is right", "root"))
	if f.Line != 10 {
		t.Errorf("dismissed %v", f)
	}
	s := b.State()
	if len(s.Findings) != 2 || len(s.Dismissed) != 1 {
		t.Fatalf("%d open, %d dismissed", len(s.Findings), len(s.Dismissed))
	}
	if d := s.Dismissed[0]; d.Reason != "the bound is right" || d.By != "root" || len(d.Sources) != 2 {
		t.Errorf("dismissed %+v", d) // with both claims that made it, also the one that only touches it
	}
	booked(&b, claim("t3.d1", "a.py", 10, "logic", "another title", "high"), claim("t3.d2", "a.py", 12, "logic", "wrong bound", "high"))
	if s = b.State(); len(s.Findings) != 2 || len(s.Dismissed) != 1 || len(s.Dismissed[0].Sources) != 4 {
		t.Errorf("repeats: %d open, dismissed %+v", len(s.Findings), s.Dismissed)
	}
	booked(&b, claim("t3.d3", "a.py", 12, "logic", "quite other words", "high"))
	if s = b.State(); len(s.Findings) != 3 {
		t.Errorf("what says something else of other code followed the dismissed finding")
	}
	own := claim("t3.d4", "a.py", 10, "injection", "wrong bound", "high")
	b.Claim("t3.d4", judgement.Claims{Grounded: []finding.Finding{own}, Own: true})
	if s = b.State(); len(s.Findings) != 4 || len(s.Dismissed) != 1 {
		t.Errorf("the root's own claim after its dismissal: %d open, %d dismissed", len(s.Findings), len(s.Dismissed))
	}
}

// What a killed cell did was undone: its own finding is gone, what it dismissed is back, and its worker's claim stands.
func TestUndo(t *testing.T) {
	var b judgement.Book
	booked(&b, claim("t001.c01.d001", "a.py", 10, "logic", "wrong bound", "high"),
		claim("t001.c02.d001", "a.py", 40, "logic", "lost lock", "low"))
	must(t)(b.Dismiss("t001.c02.d002", ids(b.Show())["a.py:10"], "the bound is right", "root"))
	own := claim("t001.c02.d003", "b.py", 3, "logic", "made by the root", "low")
	b.Claim("t001.c02.d003", judgement.Claims{Grounded: []finding.Finding{own}, Own: true})
	b.Undo("t001.c02")
	s := b.State()
	if got := ids(s); len(s.Dismissed) != 0 || len(got) != 2 || got["a.py:10"] == "" || got["a.py:40"] == "" {
		t.Errorf("open %v, dismissed %v", s.Findings, s.Dismissed)
	}
}

func TestAnIDNamesTheFindingThatItWasShownFor(t *testing.T) {
	same := func(key string, line int) finding.Finding {
		f := claim(key, "a.py", line, "logic", "wrong bound", "high")
		f.Evidence = "x = 1" // of all three: their IDs differ by a running number
		return f
	}
	var b judgement.Book
	booked(&b, same("t1.d1", 50), same("t1.d2", 90))
	shown := ids(b.Show())
	booked(&b, same("t2.d1", 10)) // takes the number of the one in line 50
	if now := ids(b.State()); now["a.py:10"] != shown["a.py:50"] {
		t.Fatalf("the running numbers did not move: %v, %v", shown, now)
	}
	if f := must(t)(b.Dismiss("t3.d1", shown["a.py:50"], "no", "root")); f.Line != 50 {
		t.Errorf("dismissed line %d, not the one that was shown under this ID", f.Line)
	}
	s := b.Show()
	if all := ids(s); len(all) != 2 || all["a.py:10"] == all["a.py:90"] ||
		slices.Contains([]string{all["a.py:10"], all["a.py:90"]}, s.Dismissed[0].ID) {
		t.Errorf("open %v, dismissed %s", all, s.Dismissed[0].ID)
	}
}

func TestIDsThatChangedStillName(t *testing.T) {
	var b judgement.Book
	booked(&b, claim("t1.d1", "a.py", 10, "logic", "wrong bound", "low"))
	old := b.Show().Findings[0].ID
	booked(&b, claim("t2.d1", "a.py", 11, "logic", "wrong bound here", "critical"))
	now := b.State().Findings
	if len(now) != 1 || now[0].ID == old {
		t.Fatalf("the stronger claim did not change the ID: %v", now)
	}
	if f := must(t)(b.Regrade("t3.d1", strings.ToUpper(old[:8])+" ", "medium", "only in tests", "root")); f.ID != now[0].ID ||
		f.Severity != "medium" {
		t.Errorf("regraded %+v", f)
	}
	f := must(t)(b.Regrade("t3.d2", now[0].ID, "low", "never reached", "root"))
	if f.Severity != "low" || f.Regraded.From != "critical" || f.Regraded.Reason != "never reached" {
		t.Errorf("regraded twice: %+v", f.Regraded)
	}
}

func TestWrongIDs(t *testing.T) {
	var b judgement.Book
	for i := range 400 { // so many that two IDs begin alike in four digits or fewer
		booked(&b, claim(fmt.Sprintf("t1.d%03d", i), fmt.Sprintf("f%03d.py", i), 10, "logic", "wrong bound", "high"))
	}
	prefix := map[string]int{}
	ambiguous := ""
	for _, f := range b.Show().Findings {
		if prefix[f.ID[:4]]++; prefix[f.ID[:4]] > 1 {
			ambiguous = f.ID[:4]
		}
	}
	if ambiguous == "" {
		t.Fatal("no two IDs begin alike: take more claims")
	}
	gone := b.State().Findings[0].ID
	must(t)(b.Dismiss("t2.d1", gone, "it is right", "root"))
	for id, want := range map[string]string{
		"": "no finding is called", "zzzz": "no finding is called", gone[:3]: "no finding is called",
		gone: gone[:8] + " was dismissed: it is right", gone[:8]: "was dismissed", ambiguous: "stands for several findings",
	} {
		if _, err := b.Find(id); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", id, err, want)
		}
	}
	one := b.State().Findings[0].ID
	for what, err := range map[string]error{
		"say why":            second(b.Dismiss("t3.d1", one, " ", "root")),
		"is no severity":     second(b.Regrade("t3.d1", one, "terrible", "because", "root")),
		"two findings":       second(b.Merge("t3.d1", []string{one}, "")),
		"is one finding":     second(b.Merge("t3.d1", []string{one, one[:8]}, "")),
		"was dismissed":      second(b.Merge("t3.d1", []string{one, gone}, "")),
		"called \"unknown\"": second(b.Verified("t3.d1", "unknown", runfile.Verification{})),
	} {
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%v, want %q in it", err, what)
		}
	}
}

func second(_ finding.Finding, err error) error { return err }

func TestMergedFindingsKeepTheirPlaces(t *testing.T) {
	var b judgement.Book
	booked(&b, claim("t1.d1", "a.py", 10, "logic", "wrong bound", "low"), claim("t1.d2", "b.py", 20, "injection", "shell", "high"),
		claim("t1.d3", "c.py", 30, "crypto", "weak hash", "medium"))
	id := ids(b.Show())
	f := must(t)(b.Merge("t2.d1", []string{id["a.py:10"], id["b.py:20"]}, "one cause"))
	if f.Title != "one cause" || f.File != "a.py" || f.ID != id["a.py:10"] || len(f.Places) != 2 || len(f.Sources) != 2 {
		t.Fatalf("merged: %+v", f)
	}
	// The IDs of both still name it, whatever they quote; what joins one of them later joins it.
	f = must(t)(b.Merge("t2.d2", []string{id["a.py:10"], id["c.py:30"]}, ""))
	if len(f.Places) != 3 || len(b.State().Findings) != 1 {
		t.Fatalf("merged again: %+v", f)
	}
	booked(&b, claim("t3.d1", "a.py", 11, "logic", "bound, again", "low"))
	if s := b.State(); len(s.Findings) != 1 || len(s.Findings[0].Sources) != 4 {
		t.Fatalf("a later claim: %+v", s.Findings)
	}
	must(t)(b.Verified("t4.d1", id["c.py:30"], runfile.Verification{Status: "confirmed"}))
	must(t)(b.Dismiss("t4.d2", id["c.py:30"], "by design", "root"))
	s := b.State()
	if len(s.Findings) != 0 || len(s.Dismissed) != 1 || len(s.Dismissed[0].Places) != 3 || s.Dismissed[0].Verification == nil {
		t.Errorf("dismissed: %+v", s)
	}
	booked(&b, claim("t5.d1", "a.py", 10, "logic", "wrong bound", "low"))
	if s := b.State(); len(s.Findings) != 0 || len(s.Dismissed[0].Sources) != 5 {
		t.Errorf("a repeat at one of the places: %+v", s)
	}
	if _, err := b.Find(id["a.py:10"]); err == nil || !strings.Contains(err.Error(), "was dismissed") {
		t.Errorf("a part of what was dismissed: %v", err)
	}
}

// What is merged goes into the first that was named; a severity that a root gave it stays.
func TestTheFirstOfWhatIsMerged(t *testing.T) {
	for _, tt := range []struct {
		regrade   string // the finding that is regraded to info, or to critical where it is c.py's
		want      string
		from, why string // of Regraded
	}{
		{"", "high", "", ""}, {"a.py:10", "info", "low", "x"}, {"b.py:20", "medium", "", ""}, {"c.py:30", "critical", "medium", "x"},
	} {
		var b judgement.Book
		booked(&b, claim("t1.d1", "a.py", 10, "logic", "wrong bound", "low"), claim("t1.d2", "b.py", 20, "injection", "shell", "high"),
			claim("t1.d3", "c.py", 30, "crypto", "weak hash", "medium"))
		id := ids(b.Show())
		if tt.regrade != "" {
			to := "info"
			if tt.regrade == "c.py:30" {
				to = "critical"
			}
			must(t)(b.Regrade("t2.d1", id[tt.regrade], to, "x", "root"))
		}
		f := must(t)(b.Merge("t3.d1", []string{id["a.py:10"], id["c.py:30"], id["b.py:20"]}, ""))
		if f.ID != id["a.py:10"] || f.Title != "wrong bound" || f.Category != "logic" || f.Places[1].File != "c.py" || f.Severity != tt.want {
			t.Errorf("%q regraded: %+v", tt.regrade, f)
		}
		var want *runfile.Regraded
		if tt.from != "" {
			want = &runfile.Regraded{From: tt.from, Reason: tt.why, By: "root"}
		}
		if diff := cmp.Diff(want, f.Regraded); diff != "" {
			t.Errorf("%q regraded: %s", tt.regrade, diff)
		}
	}
}

func TestAbout(t *testing.T) {
	var b judgement.Book
	booked(&b, claim("t1.d1", "a.py", 10, "logic", "wrong bound", "low"), claim("t1.d2", "b.py", 20, "injection", "shell", "high"))
	b.Claim("t2.d1", judgement.Claims{Grounded: []finding.Finding{claim("t2.d1", "a.py", 11, "logic", "bound", "high")}, Own: true})
	id := ids(b.Show())
	must(t)(b.Regrade("t3.d1", id["b.py:20"], "low", "unreachable", "root"))
	must(t)(b.Verified("t3.d2", id["a.py:11"], runfile.Verification{Status: "stands", Reason: "so it is", By: "worker"}))
	must(t)(b.Merge("t3.d3", []string{id["a.py:11"], id["b.py:20"]}, "both"))
	a, err := b.About(strings.ToUpper(id["b.py:20"][:8]))
	if err != nil || a.Finding.Title != "both" || a.Dismissed != nil || len(a.Claims) != 3 {
		t.Fatalf("%+v, %v", a, err)
	}
	var made []string
	for _, c := range a.Claims {
		made = append(made, fmt.Sprint(c.Key, " ", c.Own, " ", c.Title))
	}
	if diff := cmp.Diff([]string{"t2.d1 true bound", "t1.d1 false wrong bound", "t1.d2 false shell"}, made); diff != "" {
		t.Error(diff)
	}
	want := []string{"t3.d1 now low, by root: unreachable", "t3.d2 verdict stands, by worker: so it is",
		"t3.d3 merged 2 findings: a.py:11 bound + b.py:20 shell"}
	if diff := cmp.Diff(want, a.History); diff != "" {
		t.Error(diff)
	}
	must(t)(b.Dismiss("t4.d1", id["a.py:11"], "by design", "root"))
	booked(&b, claim("t5.d1", "a.py", 10, "logic", "wrong bound", "low"))
	a, err = b.About(id["b.py:20"])
	if err != nil || a.Dismissed == nil || a.Dismissed.Reason != "by design" || len(a.Claims) != 4 ||
		a.History[len(a.History)-1] != "t4.d1 dismissed by root: by design" {
		t.Errorf("dismissed: %+v, %v", a, err)
	}
}

// FuzzIDs: whatever a model calls a finding, it is found by the calls that judge and by About alike, or by none.
func FuzzIDs(f *testing.F) {
	var b judgement.Book
	booked(&b, claim("t1.d1", "a.py", 10, "logic", "wrong bound", "low"), claim("t1.d2", "b.py", 20, "logic", "shell", "high"))
	open, gone := b.Show().Findings[0].ID, b.Show().Findings[1].ID
	if _, err := b.Dismiss("t2.d1", gone, "no", "root"); err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{open, gone[:8], " #" + strings.ToUpper(open[:6]) + ":", open[:8] + " high a.py:10", "", "\x00", "````"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, id string) {
		found, err := b.Find(id)
		about, wrong := b.About(id)
		switch {
		case err == nil && (wrong != nil || about.Finding.ID != found.ID || found.ID != open):
			t.Fatalf("%q is %s, and %s (%v)", id, found.ID, about.Finding.ID, wrong)
		case err != nil && wrong == nil && about.Finding.ID != gone:
			t.Fatalf("%q is %v, and %s", id, err, about.Finding.ID)
		}
	})
}

// operations are random calls of a run: claims under ever larger keys, and judgements of what there is.
func operations(t *rapid.T, b *judgement.Book) {
	number := rapid.IntRange(0, 1<<20)
	known := []string{"0000"}
	for i := range rapid.IntRange(1, 25).Draw(t, "calls") {
		key := fmt.Sprintf("t%03d", i)
		id := known[number.Draw(t, "id")%len(known)]
		other := known[number.Draw(t, "id")%len(known)]
		switch what := rapid.IntRange(0, 9).Draw(t, "what"); what {
		case 0:
			b.Dismiss(key, id, "no", "root")
		case 1:
			b.Regrade(key, id, "low", "no", "root")
		case 2, 3:
			b.Merge(key, []string{id, other, id}, "joint")
		case 4:
			b.Verified(key, id, runfile.Verification{Status: "confirmed", Reason: key})
		default:
			var c judgement.Claims
			c.Own = what == 9
			for k := range rapid.IntRange(1, 3).Draw(t, "claims") {
				f := claim(key, rapid.SampledFrom([]string{"a", "b"}).Draw(t, "file"), rapid.IntRange(1, 12).Draw(t, "line"),
					rapid.SampledFrom([]string{"logic", "crypto"}).Draw(t, "category"),
					rapid.SampledFrom([]string{"wrong bound", "weak hash", "x y"}).Draw(t, "title"),
					rapid.SampledFrom([]string{"low", "high"}).Draw(t, "severity"))
				if rapid.Bool().Draw(t, "same code") {
					f.Evidence = "x = 1"
				}
				f.Sources = []string{key, fmt.Sprintf("%s#%d", key, k)}
				c.Grounded = append(c.Grounded, f)
			}
			b.Claim(key, c)
		}
		for _, f := range b.Show().Findings {
			known = append(known, f.ID, judgement.Short(f.ID))
		}
	}

}

// nothingIsLost checks that each claim is in one finding, open or dismissed, and that no two have one ID.
func nothingIsLost(t *rapid.T) {
	var b judgement.Book
	operations(t, &b)
	s := b.State()
	in, named := map[string]int{}, map[string]bool{}
	count := func(f finding.Finding) {
		for _, source := range f.Sources {
			if strings.Contains(source, "#") {
				in[source]++
			}
		}
		if named[f.ID] || f.ID == "" {
			t.Fatalf("two findings are called %q", f.ID)
		}
		named[f.ID] = true
	}
	for _, f := range s.Findings {
		count(f)
	}
	for _, d := range s.Dismissed {
		count(d.Finding)
	}
	for source := range claimed(&b) {
		if in[source] != 1 {
			t.Fatalf("%s is in %d findings", source, in[source])
		}
	}
	if diff := cmp.Diff(s, b.State()); diff != "" {
		t.Fatalf("asked twice: %s", diff)
	}
}

func TestNothingIsEverLost(t *testing.T) { rapid.Check(t, nothingIsLost) }

func FuzzNothingIsEverLost(f *testing.F) { f.Fuzz(rapid.MakeFuzz(nothingIsLost)) }

func claimed(b *judgement.Book) map[string]bool { return judgement.Claimed(b) }

// The same calls give the same state, in whatever order they come in.
func TestTheOrderOfArrivalDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b judgement.Book
		operations(t, &b)
		shuffled := judgement.Shuffled(&b, func(n int) []int {
			order := make([]int, n)
			for i := range order {
				order[i] = i
			}
			return rapid.Permutation(order).Draw(t, "order")
		})
		if diff := cmp.Diff(b.State(), shuffled.State()); diff != "" {
			t.Fatal(diff)
		}
	})
}
