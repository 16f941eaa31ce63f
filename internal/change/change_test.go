package change_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/change"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"pgregory.net/rapid"
)

// What is said of the lines of a change is enough to make the new text of the old one.
func TestHunksTurnOneTextIntoTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "}", "", "@@ -1 +1 @@", "--- x", "+++ y", "\\ No newline"}), 0, 30).
				Draw(t, "lines")
			return strings.Join(lines, "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
		})
		was, is := text.Draw(t, "was"), text.Draw(t, "is")
		c := change.Of(codebase.FromMap(map[string]string{"f": was}), codebase.FromMap(map[string]string{"f": is}))
		if was == is {
			if len(c.Files) > 0 {
				t.Fatalf("%v", c.Files)
			}
			return
		}
		old, now := slices.Collect(strings.Lines(was)), slices.Collect(strings.Lines(is))
		var made []string
		at := 0
		for _, h := range c.Files[0].Hunks {
			made = append(made, old[at:h.WasLine-1]...)
			made = append(made, now[h.Line-1:h.Line-1+h.Lines]...)
			at = h.WasLine - 1 + h.WasLines
		}
		if made = append(made, old[at:]...); strings.Join(made, "") != is {
			t.Fatalf("%q to %q: %v make %q", was, is, c.Files[0].Hunks, strings.Join(made, ""))
		}
	})
}

func TestWhatBecameOfFiles(t *testing.T) {
	long := strings.Repeat("one line of many\n", 5) + "the last but one\nthe last\n"
	base := codebase.FromMap(map[string]string{
		"same.py": "x = 1\n", "edited.py": "x = 1\n", "gone.py": "import os\n", "old/name.py": long, "moved.py": "def f():\n    return 1\n"})
	head := codebase.FromMap(map[string]string{
		"same.py": "x = 1\n", "edited.py": "x = 2\n", "came.py": "y = 3\n", "new/name.py": long + "one more\n", "there.py": "def f():\n    return 1\n"})
	var got []string
	for _, f := range change.Of(base, head).Files {
		got = append(got, f.Kind+" "+f.Path+" "+f.Was)
	}
	want := []string{"added came.py ", "modified edited.py edited.py", "deleted gone.py gone.py", "renamed new/name.py old/name.py",
		"renamed there.py moved.py"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestTheCodeAround(t *testing.T) {
	files := map[string]string{
		"store.py":   "def load(key):\n    return 1\n\n\ndef other():\n    return 2\n",
		"use.py":     "from store import load\n\n\ndef handler(request):\n    return load(request.key)\n\n\ndef apart():\n    return 0\n",
		"check.py":   "def valid(key):\n    return bool(key)\n",
		"nothing.py": "def unrelated():\n    return 5\n",
		"old.py":     "from store import dropped\n\n\ndef still():\n    return dropped()\n",
	}
	before := map[string]string{}
	for p, text := range files {
		before[p] = text
	}
	before["store.py"] = "def load(key):\n    return None\n\n\ndef other():\n    return 2\n\n\ndef dropped():\n    return 3\n"
	files["store.py"] = "from check import valid\n\n\ndef load(key):\n    return valid(key)\n\n\ndef other():\n    return 2\n"
	c := change.Of(codebase.FromMap(before), codebase.FromMap(files))
	around, err := c.Around(t.Context(), func(ctx context.Context, code *codebase.Codebase) (*graph.Graph, error) {
		return graph.Build(ctx, code, graph.Options{Parser: runtest.OpenParser})
	})
	if err != nil {
		t.Fatal(err)
	}
	why := map[string]string{}
	for _, f := range around.Touched {
		why[f.Path] = f.Why
	}
	want := map[string]string{"use.py": "uses load", "check.py": "defines valid, which load uses", "old.py": "uses dropped"}
	if len(why) != len(want) || why["use.py"] != want["use.py"] || why["old.py"] != want["old.py"] ||
		!strings.HasPrefix(why["check.py"], "defines valid, which") {
		t.Errorf("touched: %v, want %v", why, want)
	}
	for _, at := range []struct {
		path  string
		line  int
		holds bool
	}{{"use.py", 5, true}, {"use.py", 9, false}, {"store.py", 5, true}, {"store.py", 9, false}, {"old.py", 5, true}} {
		if got := around.Holds(at.path, at.line, at.line); got != at.holds {
			t.Errorf("%s:%d is touched: %v, want %v", at.path, at.line, got, at.holds)
		}
	}
}

// found is a finding on one line of a text.
func found(reader, file, text, quote, title string) finding.Finding {
	line := 1 + strings.Count(text[:strings.Index(text, quote)], "\n")
	f := finding.Finding{File: file, Line: line, EndLine: line, Evidence: quote, Title: title, Severity: "high", Category: "sql-injection",
		Reader: reader, Grounded: true}
	f.Fingerprint = finding.Fingerprint(f)
	f.ID = f.Fingerprint[:15] + string('0'+file[0]%10)
	return f
}

func TestJudge(t *testing.T) {
	const was = "a = 1\nb = query(x)\nc = 1\n" + "\n\n\n\n\n\n\n\n" + "d = gone(y)\n" + "\n\n\n\n\n\n\n\n" + "e = old(z)\n"
	const is = "a = 1\nadded = evil(w)\nb = query(x)\nc = 1\n" + "\n\n\n\n\n\n\n\n" + "d = fine(y)\n" + "\n\n\n\n\n\n\n\n" + "e = old(z)\n"
	base := codebase.FromMap(map[string]string{"f.py": was, "gone.py": was, "same.py": was})
	head := codebase.FromMap(map[string]string{"f.py": is, "new.py": was + "# not the file that is gone\n" + strings.Repeat("x\n", 90),
		"same.py": was})
	c := change.Of(base, head)
	for _, reader := range []string{runfile.ReaderRules, runfile.ReaderModel} {
		now := runfile.Report{Run: runfile.ReportRun{Status: trace.StatusCompleted}, Findings: []finding.Finding{
			found(reader, "f.py", is, "evil(w)", "evil is called"),
			found(reader, "f.py", is, "query(x)", "a query"),
			found(reader, "new.py", was, "query(x)", "a query"),
		}}
		if reader == runfile.ReaderModel { // what a model did not see on the other side: the code is the same, and so is the fault
			now.Findings = append(now.Findings, found(reader, "f.py", is, "old(z)", "it is old"), found(reader, "same.py", was, "gone(y)", "gone"))
		}
		before := runfile.Report{Run: runfile.ReportRun{Status: trace.StatusCompleted}, Findings: []finding.Finding{
			found(reader, "f.py", was, "query(x)", "a query"),
			found(reader, "f.py", was, "gone(y)", "gone is called"),
			found(reader, "gone.py", was, "old(z)", "it is old here"),
		}}
		if reader == runfile.ReaderModel {
			before.Findings = append(before.Findings, found(reader, "same.py", was, "query(x)", "seen once"))
		}
		old := found(reader, "f.py", is, "c = 1", "taken back, and there before")
		before.Findings = append(before.Findings, found(reader, "f.py", was, "c = 1", "taken back, and there before"))
		now.Dismissed = []runfile.Dismissed{{Finding: old}, {Finding: found(reader, "new.py", was, "d = ", "taken back, and new")}}
		c.Judge(&now, &before, change.Surroundings{})
		if a, b := now.Dismissed[0].Status, now.Dismissed[1].Status; a != runfile.PreExisting || b != runfile.New {
			t.Errorf("%s: of what was taken back, one is %q and one %q", reader, a, b)
		}
		got := map[string]string{}
		for _, f := range slices.Concat(now.Findings, now.Fixed) {
			got[f.File+" "+f.Evidence] = f.Status
		}
		want := map[string]string{"f.py evil(w)": "new", "f.py query(x)": "pre-existing", "new.py query(x)": "new",
			"f.py gone(y)": "fixed", "gone.py old(z)": "fixed"}
		if reader == runfile.ReaderModel {
			want["f.py old(z)"], want["same.py gone(y)"] = "pre-existing", "pre-existing"
		}
		if len(got) != len(want) {
			t.Errorf("%s: got %v, want %v", reader, got, want)
		}
		for k, v := range want {
			if got[k] != v {
				t.Errorf("%s: %s is %q, want %q", reader, k, got[k], v)
			}
		}
	}
}

// What the base sets aside too, or by a comment beside the same code, is not set aside by the change; code that is like what the
// base sets aside is new all the same.
func TestWhatAChangeSetsAsideItself(t *testing.T) {
	const was = "a = 1\n# ignore\nb = query(x)\n# ignore\nc = once(y)\nd = 1\ng = query(w)\n"
	const is = "first = 0\n# ignore\na = 1\n# ignore\nb = query(x)\n# ignore\nc = once(y)\n# ignore\nd = 1\ne = query(z)\n"
	c := change.Of(codebase.FromMap(map[string]string{"f.py": was}), codebase.FromMap(map[string]string{"f.py": is}))
	aside := func(text, quote, by string) runfile.Suppressed {
		return runfile.Suppressed{Finding: found(runfile.ReaderModel, "f.py", text, quote, "of "+quote), By: by}
	}
	now := runfile.Report{Run: runfile.ReportRun{Status: trace.StatusCompleted},
		Findings: []finding.Finding{found(runfile.ReaderModel, "f.py", is, "e = query(z)", "of g = query(w)")},
		Suppressed: []runfile.Suppressed{aside(is, "a = 1", "comment"), aside(is, "b = query(x)", "triage"), aside(is, "c = once(y)", "comment"),
			aside(is, "c = once(y)", "file"), aside(is, "d = 1", "comment")}}
	before := runfile.Report{Run: runfile.ReportRun{Status: trace.StatusCompleted},
		Findings: []finding.Finding{found(runfile.ReaderModel, "f.py", was, "d = 1", "of d = 1")}}
	for want, reviewed := range map[string][]runfile.Suppressed{"true true false true true": nil,
		"true false false true true": {aside(was, "b = query(x)", "comment"), aside(was, "g = query(w)", "comment")}} {
		before.Suppressed = reviewed
		r := now
		c.Judge(&r, &before, change.Surroundings{})
		var got []string
		for _, s := range r.Suppressed {
			got = append(got, strconv.FormatBool(s.ByChange))
		}
		if strings.Join(got, " ") != want || r.Findings[0].Status != runfile.New || len(r.Fixed) > 0 {
			t.Errorf("%d in the base: %v, want %s; %v, fixed %v", len(reviewed), got, want, r.Findings[0].Status, r.Fixed)
		}
	}
}
