package view_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/review"
	"github.com/deeprepo/deeprepo/internal/view/traces"
	"github.com/google/go-cmp/cmp"
)

func TestFindingsWithTheirCode(t *testing.T) {
	var long strings.Builder
	for range 200 {
		long.WriteString("line\n")
	}
	long.WriteString("no line end: " + strings.Repeat("x", 5000))
	repo := runtest.Tree(t, map[string]string{"a.py": eightLines, "long.py": long.String()})
	known := 3
	dir := aReview(t, repo, "", func(r *runfile.Report, _ *runfile.CoverageRecord) {
		r.Findings = []finding.Finding{
			{ID: "aaaa1111", Title: "first", Severity: "high", File: "a.py", Line: 2, EndLine: 2},
			{ID: "aaaa1111", Title: "the same ID", Severity: "high", File: "a.py", Line: 8, EndLine: 8},
			{ID: "__proto__", Title: "a bad ID", Severity: "low", File: "long.py", Line: 10, EndLine: 199},
			{ID: "aaaa4444", Title: "the last line", Severity: "low", File: "long.py", Line: 201, EndLine: 2_000_000_000},
			{ID: "aaaa5555", Title: "past the end", Severity: "low", File: "a.py", Line: 9},
		}
		r.Ungrounded = []finding.Finding{{Title: "no quote", Severity: "low", File: "a.py", Line: 0, Why: "not found"},
			{ID: "aaaa4444", File: "nowhere.py", Line: 3}}
		r.Refuted = []runfile.Refuted{{Finding: finding.Finding{ID: "bbbb1111", File: "a.py", Line: 4, Why: "it is not"},
			Proof: &runfile.Proof{File: "a.py", Line: 3, Quote: "three"}}}
		r.Suppressed = []runfile.Suppressed{{Finding: finding.Finding{ID: "cccc1111", File: "a.py", Line: 5}, By: "file", Reason: "we know"}}
		r.Dismissed = []runfile.Dismissed{{Finding: finding.Finding{ID: "dddd1111", File: "a.py", Line: 5}, By: "p/root", Reason: "it is safe"}}
		r.Top = []runfile.TopFinding{{ID: "aaaa1111", Why: "high", Same: []string{"__proto__"}}, {ID: "nobody", Why: "x"}}
		r.Run.Root, r.Run.Worker, r.Usage.Worker.Calls = "p/root", "p/worker", 7
		r.Verification, r.Known, r.Analysis = &runfile.SecondLook{Verifier: "p/m", Stands: 2}, &known, "# All\n"
	})
	d := get[review.Findings](t, dir, "findings")
	ids := func(fs []review.Finding) string {
		var all []string
		for _, f := range fs {
			all = append(all, f.ID)
		}
		return strings.Join(all, " ")
	}
	for list, want := range map[string]string{
		ids(d.Findings): "aaaa1111 f-2 f-3 aaaa4444 aaaa5555", ids(d.Ungrounded): "u-1 u-2", ids(d.Refuted): "bbbb1111", ids(d.Suppressed): "cccc1111",
		ids(d.Dismissed): "dddd1111",
	} {
		if list != want {
			t.Errorf("IDs %q, want %q", list, want)
		}
	}
	want := map[string]review.Snippet{
		"aaaa1111": {From: 1, Text: "one\ntwo\nthree\nfour\nfive\nsix\nseven"}, "f-2": {From: 3, Text: "three\nfour\nfive\nsix\nseven\neight"},
		"f-3":      {From: 5, Text: strings.TrimSuffix(strings.Repeat("line\n", 80), "\n")},
		"aaaa4444": {From: 196, Text: strings.Repeat("line\n", 5) + "no line end: " + strings.Repeat("x", 987) + "…"},
		"bbbb1111": {From: 1, Text: strings.TrimSuffix(eightLines, "\n")}, "cccc1111": {From: 1, Text: strings.TrimSuffix(eightLines, "\n")},
		"dddd1111": {From: 1, Text: strings.TrimSuffix(eightLines, "\n")},
	}
	if diff := cmp.Diff(want, d.Snippets); diff != "" {
		t.Errorf("snippets (-want +got):\n%s", diff)
	}
	if d.Refuted[0].Proof == nil || d.Refuted[0].Proof.Quote != "three" || d.Suppressed[0].Why != "we know" ||
		d.Suppressed[0].By != "file" || d.Ungrounded[0].Why != "not found" {
		t.Errorf("%+v", d)
	}
	if d.Dismissed[0].By != "p/root" || d.Dismissed[0].Why != "it is safe" {
		t.Errorf("dismissed: %+v", d.Dismissed)
	}
	if diff := cmp.Diff([]runfile.TopFinding{{ID: "aaaa1111", Why: "high", Same: []string{"f-3"}}}, d.Top); diff != "" {
		t.Errorf("what to do first (-want +got):\n%s", diff)
	}
	if len(d.Bill) != 2 || d.Bill[0].Model != "p/root" || d.Bill[0].CostUSD != nil || d.Bill[1].Model != "p/worker and p/m" ||
		d.Bill[1].Calls != 7 {
		t.Errorf("the bill: %+v", d.Bill)
	}
	for list, of := range d.Lists() {
		for _, f := range of {
			want := review.One{Finding: f, List: list}
			if s, ok := d.Snippets[f.ID]; ok {
				want.Snippet = &s
			}
			if f.ID == "aaaa1111" || f.ID == "f-3" {
				want.First = "high"
			}
			if diff := cmp.Diff(want, get[review.One](t, dir, "finding/"+f.ID)); diff != "" {
				t.Errorf("the finding %s (-want +got):\n%s", f.ID, diff)
			}
		}
	}
	if one := get[review.One](t, dir, "finding/aaaa1"); one.ID != "aaaa1111" {
		t.Errorf("aaaa1 is %s", one.ID)
	}
	for id, why := range map[string]string{"aaaa": "3 findings have an ID", "zzzz": "no finding has an ID", "": "no finding has an ID"} {
		if _, err := open(t, dir).Get("finding/" + id); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("finding %q: %v", id, err)
		}
	}
	if d.Verification == nil || d.Verification.Stands != 2 || *d.Known != 3 || d.Analysis != "# All\n" || d.Truncated {
		t.Errorf("%+v", d)
	}
}

func TestFindingsNameTheirDispatches(t *testing.T) {
	repo := runtest.Tree(t, map[string]string{"a.py": eightLines})
	dir := aReview(t, repo, "", func(r *runfile.Report, _ *runfile.CoverageRecord) {
		r.Findings = []finding.Finding{{
			ID: "aaaa1111", Severity: "low", File: "a.py", Line: 1, Sources: []string{"t001.c01.d001.0001", "__proto__", "gone"},
			Verification: &runfile.Verification{Status: finding.Stands, Source: "v001"},
		}}
	})
	if d := get[review.Findings](t, dir, "findings"); len(d.Dispatches) != 0 {
		t.Errorf("without a trace: %+v", d.Dispatches)
	}
	dispatch := func(turn int, key string, d trace.Dispatch) trace.Event {
		return trace.Event{Kind: trace.KindDispatch, Turn: turn, Key: key, Dispatch: &d}
	}
	writeTrace(t, dir, trace.Event{Kind: trace.KindStart, Start: &trace.Start{Run: "x", Fingerprint: "y"}},
		trace.Event{Kind: trace.KindRoot, Turn: 1, Key: "t001", Root: &trace.Root{Model: "m"}},
		dispatch(1, "t001.c01.d001.0001", trace.Dispatch{Model: "m", Prompt: "p", Error: "lost"}),
		dispatch(1, "t001.c01.d001.0001", trace.Dispatch{Model: "m", Prompt: "p", Reply: "r"}),
		dispatch(0, "v001", trace.Dispatch{Model: "m", Prompt: strings.Repeat("long ", 1000), Reply: "r"}))
	want := map[string]traces.DispatchPlace{"t001.c01.d001.0001": {Turn: 2, Seq: 4}, "v001": {Turn: 0, Seq: 5}}
	if diff := cmp.Diff(want, get[review.Findings](t, dir, "findings").Dispatches); diff != "" {
		t.Errorf("dispatches (-want +got):\n%s", diff)
	}
}

func TestFindingsAreBounded(t *testing.T) {
	repo := runtest.Tree(t, map[string]string{"a.py": strings.Repeat(strings.Repeat("a b ", 30)+"\n", 50)})
	dir := aReview(t, repo, "", func(r *runfile.Report, _ *runfile.CoverageRecord) {
		for i := range 20_002 {
			r.Findings = append(r.Findings, finding.Finding{Severity: "low", File: "a.py", Line: 1 + i%50})
		}
		r.Findings[0].Explanation, r.Analysis = strings.Repeat("e", 1<<20), strings.Repeat("a", 2<<20)
		r.Findings[0].Sources = make([]string, 10_000)
	})
	d := get[review.Findings](t, dir, "findings")
	total := 0
	for _, s := range d.Snippets {
		total += len(s.Text)
	}
	if len(d.Findings) != 20_000 || !d.Truncated || total < 2<<20 || total > 2<<20+80_000 || len(d.Findings[0].Explanation) > 33<<10 ||
		len(d.Analysis) > 1<<20+10 || len(d.Findings[0].Sources) > 200 {
		t.Errorf("%d findings, %d bytes of snippets, %d of explanation, %d of analysis", len(d.Findings), total,
			len(d.Findings[0].Explanation), len(d.Analysis))
	}
}

// FuzzReviewed asks for the documents of a review whose files are a stranger's: an answer or an error, and no text of a file
// that the record does not have the hash of.
func FuzzReviewed(f *testing.F) {
	repo := runtest.Tree(f, map[string]string{"a.py": eightLines, "secret.py": "the secret of this test\n"})
	record := `{"schema":1,"files":[{"path":"a.py","language":"python","lines":8,"dispatched":2,"ranges":[[2,3]],"sha256":"38a8fbf3"},` +
		`{"path":"secret.py","lines":1,"ranges":[],"sha256":""}]}`
	rep := `{"schema":1,"repo":{"path":` + asJSON(repo) +
		`},"findings":[{"id":"x","file":"a.py","line":3,"end_line":1}],"ungrounded":[{"file":"secret.py","line":1}],` +
		`"refuted":[{"file":"../x","line":9}]}`
	f.Add(rep, record, "a.py")
	f.Add(`{"schema":1,"repo":{"path":"/"}}`, `{"schema":1,"files":[{"path":"etc/passwd","lines":0}]}`, "etc/passwd")
	f.Add(`[]`, `{`, "")
	f.Fuzz(func(t *testing.T, rep, record, path string) {
		if strings.Contains(rep, `"/`) && !strings.Contains(rep, repo) {
			t.Skip("speaks of directories that are not the test's")
		}
		run := open(t, runtest.Tree(t, map[string]string{"run.json": reviewManifest, "report.json": rep,
			"coverage.json": record}))
		for _, resource := range []string{"files", "findings", "finding/x", "file/" + path, "file/secret.py", ""} {
			document, err := run.Get(resource)
			if err != nil {
				continue
			}
			text, err := json.Marshal(document)
			if err != nil {
				t.Fatalf("%s: %v", resource, err)
			}
			if strings.Contains(string(text), "the secret of this test") && !strings.Contains(rep+record, "the secret") {
				t.Fatalf("%s shows a text whose hash is not known: %s", resource, text)
			}
		}
	})
}
