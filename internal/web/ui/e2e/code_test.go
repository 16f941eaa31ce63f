package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// holed is a review of planted of which it is told that workers saw less than they did: of the file with the first finding
// lines 1 to 5 and 9 to its end, of the longest other file nothing. It gives the paths of both.
func holed(t *testing.T) (dir, half, none string) {
	t.Helper()
	dir = copied(t, reviewed(t))
	rep := readReport(t, dir)
	half = rep.Findings[0].File
	f, err := os.Open(filepath.Join(dir, runfile.CoverageName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := coverage.ReadRecord(f)
	if err != nil {
		t.Fatal(err)
	}
	longest := -1
	for i, f := range rec.Files {
		if f.Path == half {
			f := &rec.Files[i]
			f.Ranges, f.Dispatched, f.Answered, f.Judged = [][2]int{{1, 5}, {9, f.Lines}}, f.Lines-3, f.Lines-3, f.Lines-3
		} else if longest < 0 || f.Lines > rec.Files[longest].Lines {
			longest = i
		}
	}
	unseen := &rec.Files[longest]
	unseen.Ranges, unseen.Dispatched, unseen.Answered, unseen.Judged, unseen.Unjudged = [][2]int{}, 0, 0, 0, nil
	var b strings.Builder
	if err := coverage.WriteRecord(&b, rec); err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, filepath.Join(dir, runfile.CoverageName), b.String())
	return dir, half, rec.Files[longest].Path
}

func readReport(t *testing.T, dir string) runfile.Report {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rep, err := report.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Findings) < 2 {
		t.Fatalf("the review has %d findings, the tests need 2", len(rep.Findings))
	}
	return rep
}

func TestMapOfTheCode(t *testing.T) {
	dir, half, none := holed(t)
	p := open(t, dir)
	p.Go("code")
	p.WaitFor(".codemap svg .leaf")
	p.Wait("seen by a worker", "not seen", "all of it")
	files := p.Count(".codemap [role=option]")
	if files < 5 {
		t.Fatalf("the map has %d files", files)
	}
	p.Shot("code-map")
	if p.Count(`.codemap .leaf.c0[data-i][aria-label^=`+quote(none)+`]`) != 1 || p.Count(`.codemap .leaf.c0[data-i]`) != 1 {
		t.Errorf("the map does not say that %s was not seen, and no other file", none)
	}
	// The colours follow the switch, which is part of the address.
	p.Eval(`(() => { const s = document.querySelector('.codebase-map select'); s.value = 'findings'; `+
		`s.dispatchEvent(new Event('change', {bubbles: true})) })()`, nil)
	p.Until("the address of the other colours", "location.hash.includes('shade=findings')")
	p.Wait("no finding", "critical")
	if n := p.Count(".codemap .leaf.s0[data-i]"); n == 0 || n == files {
		t.Errorf("%d of %d files are without a finding", n, files)
	}
	p.ShotAs("code-map-findings")

	// Arrows go from file to file, Enter opens one.
	p.Eval("document.querySelector('.codemap svg').focus()", nil)
	first := p.Attribute(".codemap svg", "aria-activedescendant")
	p.Key(kb.ArrowRight)
	p.Until("another file under the cursor", "document.querySelector('.codemap svg').getAttribute('aria-activedescendant') !== "+quote(first))
	var name string
	p.Eval(`document.getElementById(`+
		`document.querySelector('.codemap svg').getAttribute('aria-activedescendant')).getAttribute('aria-label').split(' · ')[0]`, &name)
	p.Key(kb.Enter)
	p.Until("the file "+name, "decodeURIComponent(location.hash).endsWith("+quote("code/file/"+name)+")")
	p.Until("its path on the page",
		`document.querySelector('.file-path')?.innerText.replaceAll(' ', '').endsWith(`+quote(strings.ReplaceAll("/"+name, " ", ""))+`)`)

	// A directory fills the map, and the address says so; Backspace goes up.
	at := strings.LastIndex(half, "/")
	if at < 0 {
		t.Fatalf("the file %s is in no directory", half)
	}
	p.Go("code?dir=" + half[:at])
	p.Until("fewer files", fmt.Sprintf("document.querySelectorAll('.codemap [role=option]').length < %d && "+
		"document.querySelector('.codemap .leaf')", files))
	p.ClickText("All files")
	p.Until("all files", fmt.Sprintf("document.querySelectorAll('.codemap [role=option]').length === %d", files))
}

func TestListOfFiles(t *testing.T) {
	dir, half, none := holed(t)
	p := open(t, dir)
	p.Go("code")
	p.Wait(half, none)
	p.Key("/")
	p.Until("the caret in the filter", "document.activeElement.matches('.codebase-list input[type=search]')")
	p.Eval("document.activeElement.value = ''", nil) // the driver types the key that went there too
	p.Key(half)
	p.Until("the filter in the address", "new URLSearchParams(location.hash.split('?')[1]).get('q') === "+quote(half))
	p.Until("one file", "document.querySelector('.codebase-list').innerText.includes("+quote(
		half)+") && !document.querySelector('.codebase-list').innerText.includes("+quote(none)+")")
	if p.Count(".codemap .leaf.faint") == 0 {
		t.Error("the map does not follow the filter")
	}
	p.Go("code?only=holes")
	// The third is a document, which no rule judges.
	p.Until("only files with holes", "document.querySelectorAll('.codebase-list tbody tr').length === 3")
	p.Wait(half, none, "read, not judged")
	p.ClickText("Skipped")
	p.Until("the tab in the address", "location.hash.includes('tab=skipped')")
}

func TestFileWithHolesAndFindings(t *testing.T) {
	dir, half, none := holed(t)
	f := readReport(t, dir).Findings[0]
	p := open(t, dir)
	p.Go("code/file/" + half)
	p.Wait("holes", f.Title, "seen by a worker")
	p.WaitFor(".code .line")
	p.Shot("code-file")
	if n := p.Count(".code .line.covered"); n == 0 {
		t.Error("no line is marked as seen")
	}
	if covered, lines := p.Count(".code .line.covered"), p.Count(".code .line"); p.Count(".code-long") == 0 && covered != lines-3 {
		t.Errorf("%d of %d lines are marked as seen, 3 were not", covered, lines)
	}
	p.Key("h")
	p.Until("the hole's line in the address", "location.hash.includes('line=6')")
	p.Key("n")
	p.Until("a finding's line in the address", "/line=\\d+/.test(location.hash) && !location.hash.includes('line=6')")
	p.Go(fmt.Sprintf("code/file/%s?line=%d", half, f.Line))
	p.Until("the finding of that line", "document.querySelector('.file-finding.selected')?.innerText.includes("+quote(f.Title)+")")
	p.Until("the line in sight", `(() => { const e = document.querySelector('.code .line.at'); if (!e) return false; `+
		`const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight })()`)
	p.ClickText(f.Title)
	p.Until("the finding's page", "location.hash.includes('findings/"+f.ID+"')")

	p.Go("code/file/" + none)
	p.Until("no line seen", "document.querySelector('.code .line') && !document.querySelector('.code .line.covered')")
	p.Allow("status of 404")
	p.Go("code/file/no/such.py")
	p.Wait("no file")
}

func TestAFileThatChangedIsNotShown(t *testing.T) {
	tree := filepath.Join(world, "codebases", "changing")
	runtest.WriteFile(t, filepath.Join(tree, "same.py"), "print('as it was')\n")
	runtest.WriteFile(t, filepath.Join(tree, "other.py"), "print('before')\n")
	dir := filepath.Join(world, "copies", "changing-review")
	must(t, world, nil, "analyze", tree, "--offline", "--out", dir)
	runtest.WriteFile(t, filepath.Join(tree, "other.py"), "print('after')\n")
	p := open(t, dir)
	p.Go("code/file/other.py")
	p.Wait("has changed since the review")
	if strings.Contains(p.Text(), "after") {
		t.Error("the page shows a text that was not reviewed")
	}
	p.Go("code/file/same.py")
	p.Wait("as it was")
}

// A file of 50,000 lines opens at a line in its middle.
func TestALongFile(t *testing.T) {
	tree := filepath.Join(world, "codebases", "long")
	var b strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&b, "x%d = %d\n", i+1, i)
	}
	runtest.WriteFile(t, filepath.Join(tree, "long.py"), b.String())
	dir := filepath.Join(world, "copies", "long-review")
	must(t, world, nil, "analyze", tree, "--offline", "--out", dir)
	p := open(t, dir)
	p.Go("code/file/long.py?line=25000")
	p.Until("line 25000 in sight",
		`(() => { const e = document.querySelector('.code .line.at'); `+
			`if (!e || !e.innerText.includes('x25000 =')) return false; const r = e.getBoundingClientRect(); `+
			`return r.top >= 0 && r.bottom <= innerHeight })()`)
	if n := p.Count(".code .line"); n > 400 {
		t.Errorf("%d lines are drawn at once", n)
	}
	p.ShotAs("code-long-file")
}

// hostileText is what a repository or a model may write where a page is made of it.
const hostileText = `</script><script>window.pwned = 1</script><img src=x onerror="window.pwned = 2"> [click](javascript:window.pwned=3) ` +
	`![](http://192.0.2.1/x.png) __proto__ {{constructor}} ` + "`\u202e"

func TestHostileCodebaseAndFindings(t *testing.T) {
	tree := filepath.Join(world, "codebases", "hostile")
	paths := []string{`<img src=x onerror=window.pwned=4>.py`, `a b #?&%2e%2e.py`, `__proto__.py`, "\u202egnp.py", `quo"te'.py`,
		`constructor/toString.py`}
	for _, path := range paths {
		runtest.WriteFile(t, filepath.Join(tree, path), "query = \"select \" + name # "+hostileText+"\n")
	}
	dir := filepath.Join(world, "copies", "hostile-review")
	must(t, world, nil, "analyze", tree, "--offline", "--out", dir)
	var rep map[string]any
	text, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &rep); err != nil {
		t.Fatal(err)
	}
	var claims []any
	for i, path := range append(paths, "../../etc/passwd", "") {
		claims = append(claims, map[string]any{
			"id": []string{"__proto__", "constructor", "abcd1234"}[i%3], "title": hostileText, "severity": "critical", "category": hostileText, "cwe": hostileText, "file": path, "line": 1,
			"end_line": 1 << 40, "evidence": hostileText, "explanation": hostileText, "suggestion": hostileText, "confidence": 1e300, "grounded": true,
			"sources": []string{hostileText, "__proto__"}, "why": hostileText,
			"verification": map[string]any{"status": hostileText, "reason": hostileText, "by": hostileText, "source": hostileText,
				"execution": map[string]any{"function": hostileText, "file": hostileText, "line": -1, "check": hostileText}},
			"proof": map[string]any{"file": hostileText, "line": -5, "quote": hostileText},
		})
	}
	rep["findings"], rep["ungrounded"], rep["refuted"], rep["suppressed"], rep["analysis"] = claims, claims, claims, claims,
		"# "+hostileText+"\n\n"+hostileText
	rep["verification"] = map[string]any{"verifier": hostileText,
		"contradicted": []any{map[string]any{"sentence": hostileText, "why": hostileText}}}
	if text, err = json.Marshal(rep); err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, filepath.Join(dir, "report.json"), string(text))

	p := open(t, dir)
	unharmed := func(where string) {
		t.Helper()
		p.Until("a page at "+where, "document.querySelector('main')?.innerText.length > 40 && !document.querySelector('main .loading')")
		var pwned any
		if p.Eval("window.pwned ?? null", &pwned); pwned != nil {
			t.Fatalf("%s ran a script: %v", where, pwned)
		}
		if n := p.Count("main script, main iframe, main img, main [onerror], main a[href^='javascript' i]"); n != 0 {
			t.Errorf("%s has %d elements that a text made", where, n)
		}
	}
	for _, place := range []string{"findings", "findings?by=file", "findings?by=category", "findings?tab=ungrounded",
		"findings?tab=refuted", "findings?tab=suppressed", "findings?tab=analysis", "code", "code?shade=findings", "code?dir=constructor"} {
		p.Go(place)
		unharmed(place)
	}
	for _, tab := range []string{"findings", "ungrounded", "refuted", "suppressed"} {
		p.Go("findings?tab=" + tab)
		p.WaitFor("a.finding-row")
		p.Key("j")
		p.WaitFor(".detail-words")
		unharmed("a finding of " + tab)
	}
	p.ShotAs("hostile-finding")
	p.Go("code")
	p.WaitFor(".codemap .leaf")
	for _, path := range paths {
		p.Go("code")
		p.WaitFor(".codebase-list a")
		p.Eval("[...document.querySelectorAll('.codebase-list a')].find(a => decodeURIComponent(a.getAttribute('href')).endsWith("+quote(
			"code/file/"+path)+")).click()", nil)
		p.WaitFor(".file .code .line")
		unharmed(path)
	}
	p.ShotAs("hostile-file")
}

// unanswering makes of a review a partial one: the first three lines of the file with the first finding, and all of the longest
// other file, were sent and not answered.
func unanswering(t *testing.T) (dir, part, all string) {
	t.Helper()
	dir, part, all = holed(t)
	f, err := os.Open(filepath.Join(dir, runfile.CoverageName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := coverage.ReadRecord(f)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rec.Files {
		switch f := &rec.Files[i]; f.Path {
		case part:
			f.Answered, f.Judged, f.Unanswered = f.Dispatched-3, f.Dispatched-3, [][2]int{{1, 3}}
		case all:
			f.Dispatched, f.Ranges, f.Unanswered = f.Lines, [][2]int{{1, f.Lines}}, [][2]int{{1, f.Lines}}
		}
	}
	rep := readReport(t, dir)
	rep.Run.Status = trace.StatusPartial
	rep.Run.Shortfalls = []trace.Shortfall{{Code: trace.ShortFailed, Count: 2, Lines: 7}, {Code: trace.ShortSkipped, Count: 1}}
	rep.Coverage.Skipped = []runfile.Skip{{Path: "big.py", Why: "too large: 3 MiB", Source: true, By: "program"}}
	var record, written strings.Builder
	if err := errors.Join(coverage.WriteRecord(&record, rec), report.WriteJSON(&written, rep)); err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, filepath.Join(dir, runfile.CoverageName), record.String())
	runtest.WriteFile(t, filepath.Join(dir, "report.json"), written.String())
	return dir, part, all
}

func TestAPartialReviewLooksPartial(t *testing.T) {
	dir, part, all := unanswering(t)
	p := open(t, dir)
	p.WaitFor(".missing.missing-warn")
	p.Wait("The review is partial", "2 calls to a model failed (7 lines).", "1 file of source code was skipped.", "deeprepo resume")
	p.Shot("partial")
	p.Go("code")
	p.WaitFor(".codemap svg .leaf")
	p.Wait("sent, not answered")
	if p.Count(`.codemap .leaf.cu[data-i][aria-label^=`+quote(all)+`]`) != 1 || p.Count(`.codemap .leaf.cu[data-i]`) != 1 {
		t.Errorf("the map does not say that %s was not answered, and no other file", all)
	}
	p.Go("code?tab=skipped")
	p.Wait("left out by the program", "source")
	p.Go("code/file/" + part)
	p.Wait("sent, not answered", "reviewed")
	p.WaitFor(".code .line.unanswered")
	p.Shot("partial-file")
	if n := p.Count(".code .line.unanswered:not(.covered)"); n != 3 {
		t.Errorf("%d lines are marked as not answered, 3 were not", n)
	}
	p.Key("h")
	p.Until("the first hole's line in the address", "location.hash.includes('line=1')")
}
