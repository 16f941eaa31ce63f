package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

func TestFindingsAreReadWithTheKeyboard(t *testing.T) {
	dir := reviewed(t)
	rep := readReport(t, dir)
	p := open(t, dir)
	p.Go("findings")
	p.WaitFor("a.finding-row")
	p.WaitFor("a.finding-row.selected")
	p.Click("a.finding-row")
	p.Eval("document.activeElement.blur()", nil) // Enter is a link's while it has the focus
	p.Until("the first finding in the address", "/findings\\/[0-9a-f]+/.test(location.hash)")
	first := p.Hash()
	p.WaitFor(".detail-words")
	p.Shot("findings")
	p.Key("j")
	p.Until("the second finding", "location.hash !== "+quote(first))
	p.Key("k")
	p.Until("the first finding again", "location.hash === "+quote(first))

	// What the report says stands beside its code, with the line marked.
	var id string
	p.Eval("location.hash.split('/').pop().split('?')[0]", &id)
	for _, f := range rep.Findings {
		if f.ID != id {
			continue
		}
		p.Wait(f.Title, f.Category, fmt.Sprintf("%s:%d", f.File, f.Line), f.Suggestion[:20])
		p.Until("the code", "document.querySelector('.detail-code .code')?.innerText.includes("+quote(
			strings.TrimSpace(strings.Split(f.Evidence, "\n")[0]))+")")
		if p.Count(".detail-code .line.mark") != f.EndLine-f.Line+1 {
			t.Errorf("%d lines are marked, the finding has %d", p.Count(".detail-code .line.mark"), f.EndLine-f.Line+1)
		}
		if len(f.Sources) > 0 && p.Count(`.sources a[href*="/dispatch/"]`) == 0 {
			t.Error("no link to the dispatch that the finding comes from")
		}
	}
	p.Key(kb.Enter)
	p.Until("the file at its line", "/code\\/file\\/.*line=\\d+/.test(location.hash)")
	p.Eval("history.back()", nil)
	p.Until("the finding again", "location.hash === "+quote(first))
	p.Click(`.sources a[href*="/dispatch/"]`)
	p.Until("the dispatch", "/turns\\/\\d+\\/dispatch\\/\\d+/.test(location.hash)")
	p.Wait("prompt")
}

func TestFindingsAreFilteredAndGrouped(t *testing.T) {
	rep := readReport(t, reviewed(t))
	p := open(t, reviewed(t))
	p.Go("findings")
	p.WaitFor("a.finding-row")
	rows := p.Count("a.finding-row")
	p.Go("findings?by=file")
	p.Until("files as groups", "[...document.querySelectorAll('.group-head')].some(h => h.innerText.includes("+quote(
		rep.Findings[0].File)+"))")
	p.Go("findings?by=category")
	p.Until("categories as groups",
		"[...document.querySelectorAll('.group-head')].some(h => h.innerText.includes("+quote(rep.Findings[0].Category)+"))")
	p.Go("findings")
	p.Until("all findings", fmt.Sprintf("document.querySelectorAll('a.finding-row').length === %d", rows))
	p.Key("/")
	p.Until("the caret in the filter", "document.activeElement.matches('.findings-filters input[type=search]')")
	p.Key("no such words anywhere")
	p.Wait("No finding passes the filter")
	p.ClickText("Show all")
	p.Until("all findings again", fmt.Sprintf("document.querySelectorAll('a.finding-row').length === %d", rows))
	p.Go("findings?severity=" + rep.Findings[0].Severity)
	p.Until("one severity", "document.querySelectorAll('.group-head').length === 1")
}

func TestAFindingIsCopiedAsAnIssue(t *testing.T) {
	rep := readReport(t, reviewed(t))
	f := rep.Findings[0]
	p := open(t, reviewed(t))
	p.Go("findings/" + f.ID)
	p.Wait("Copy as issue")
	p.Eval("(() => { window.copied = []; navigator.clipboard.writeText = async (text) => { window.copied.push(text) } })()", nil)
	p.ClickText("Copy as issue")
	p.Until("a copy", "window.copied.length === 1")
	p.Key("c")
	p.Until("a copy by key", "window.copied.length === 2")
	var copied []string
	p.Eval("window.copied", &copied)
	for _, want := range []string{"# ", f.Severity, fmt.Sprintf("`%s:%d", f.File, f.Line), "```",
		strings.TrimSpace(strings.Split(f.Evidence, "\n")[0]), f.ID} {
		if !strings.Contains(copied[0], want) {
			t.Errorf("the issue does not say %q:\n%s", want, copied[0])
		}
	}
	if copied[0] != copied[1] {
		t.Error("the key copies something else than the button")
	}
}

func TestTheRootsDocument(t *testing.T) {
	p := open(t, reviewed(t))
	p.Go("findings?tab=analysis")
	p.WaitFor(".analysis h1, .analysis h2, .analysis h3")
	p.ShotAs("findings-analysis")
}

// A phone shows the list, or one finding with a way back.
func TestFindingsOnAPhone(t *testing.T) {
	p := open(t, reviewed(t))
	p.Size(360, 780)
	p.Go("findings")
	p.Click("a.finding-row")
	p.Until("the finding alone", "document.querySelector('.detail-words') && !document.querySelector('.finding-list').checkVisibility()")
	p.Until("nothing wider than the page", "document.documentElement.scrollWidth <= 360")
	p.ClickText("Back to the list")
	p.Until("the list", "document.querySelector('.finding-list').checkVisibility()")
	for _, place := range []string{"code", "code/file/" + readReport(t, reviewed(t)).Findings[0].File, "findings?tab=analysis"} {
		p.Go(place)
		p.Until("a page at "+place, "document.querySelector('main').innerText.length > 40 && !document.querySelector('main .loading')")
		p.Until("nothing wider than the page at "+place, "document.documentElement.scrollWidth <= 360")
	}
}

// The first page of a review says what a reader wants to know first, and leads there.
func TestAReviewAtAGlance(t *testing.T) {
	dir, _, none := holed(t)
	rep := readReport(t, dir)
	f := rep.Findings[0]
	p := open(t, dir)
	p.Wait("Bill", f.Title, "offline/rules", "static rules, ", "of lines have rules")
	p.Until("the repository as title", "document.querySelector('main h1').innerText.startsWith("+quote(filepath.Base(rep.Repo.Path))+")")
	p.Until("the first finding, selected and shown", "document.querySelector('a.finding-row.selected') && "+
		"document.querySelector('.detail-words').checkVisibility()")
	var counts string
	p.Eval("document.querySelector('.counts').innerText.replace(/\\s+/g, ' ')", &counts)
	if want := fmt.Sprintf("%d %s", severities(rep)[rep.Findings[0].Severity], rep.Findings[0].Severity); !strings.Contains(counts, want) {
		t.Errorf("the counts %q do not say %q", counts, want)
	}
	p.Shot("review")
	p.ClickText(f.Title)
	p.Until("the finding", "location.hash.includes('findings/"+f.ID+"')")
	p.WaitFor(".detail-words")
	p.Go("code")
	p.Until("a map with a file that was not seen, by coverage since it is not full",
		"document.querySelector(`.codemap .leaf.c0[data-i][aria-label^="+strings.ReplaceAll(quote(none), `"`, `'`)+"]`)")
}

// severities counts a report's findings.
func severities(rep runfile.Report) map[string]int {
	n := map[string]int{}
	for _, f := range rep.Findings {
		n[f.Severity]++
	}
	return n
}
