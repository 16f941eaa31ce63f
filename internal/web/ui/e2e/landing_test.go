package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Esc leads one step up from everywhere, as the help says; ] and [ go through the files.
func TestEscapeAndBrackets(t *testing.T) {
	rep := readReport(t, reviewed(t))
	p := open(t, reviewed(t))
	p.Go("code/file/" + rep.Findings[0].File)
	p.Wait("Next finding")
	p.Rest()
	first := p.Hash()
	p.Key("]")
	p.Until("the next file", "location.hash !== "+quote(first)+" && location.hash.includes('/code/file/')")
	p.Wait("Next finding")
	p.Rest()
	p.Key("[")
	p.Until("the file before it", "location.hash === "+quote(first))
	for _, end := range []string{"/code", "/run/" + p.run, "#/"} {
		p.Rest()
		p.Key(kb.Escape)
		p.Until("the address "+end, "location.hash.endsWith("+quote(end)+")")
	}
	p.Wait("planted-review")
	p.Go("findings/" + rep.Findings[1].ID)
	p.Until("that finding", "document.querySelector('.detail')?.innerText.includes("+quote(rep.Findings[1].Title)+")")
	p.Rest()
	p.Key(kb.Escape)
	p.Until("all findings", "/findings$/.test(location.hash)")
}

// An address that names nothing says so.
func TestUnknownAddresses(t *testing.T) {
	p := open(t, reviewed(t))
	p.Allow("status of 404")
	for place, says := range map[string]string{
		"findings/0123456789abcdef": "no finding 0123456789abcdef", "code/nothing": "nothing called nothing", "code?dir=no/such": "no directory no/such",
		"code/file/no/such.py": "was part of this review", "turns/77": "no turn 77", "nothing": "no such page",
	} {
		p.Go(place)
		p.Wait(says)
	}
	p = open(t, evaluated(t))
	p.Allow("status of 404")
	for place, says := range map[string]string{"eval/rollout/999": "no rollout", "eval/nothing": "nothing called nothing"} {
		p.Go(place)
		p.Wait(says)
	}
}

// On paper stand all findings, each with its code and what to do, though the page shows one.
func TestAPrintHoldsCodeAndFixes(t *testing.T) {
	rep := readReport(t, reviewed(t))
	p := newPageOfFile(t, filepath.Join(reviewed(t), "report.html"))
	p.WaitFor(".detail-words")
	p.Eval("addEventListener('beforeprint', () => { window.paper = document.querySelector('.printed').textContent })", nil)
	if _, err := chromedp.Call(p.ctx, page.PrintToPDF, page.PrintToPDFParams{}); err != nil {
		t.Fatal(err)
	}
	p.Until("a print", "window.paper")
	var paper string
	p.Eval("window.paper", &paper)
	for _, f := range rep.Findings {
		for _, want := range []string{f.Title, strings.TrimSpace(strings.Split(f.Evidence, "\n")[0]), strings.Fields(f.Suggestion)[0]} {
			if !strings.Contains(paper, want) {
				t.Errorf("the print lacks %q of %s", want, f.Title)
			}
		}
	}
	p.Until("the page as it was", "document.querySelector('.printed').textContent === ''")
}

// A browser without a window prints as soon as there is something to print: nothing may come a frame later.
func TestAPrintAtOnceHoldsFindings(t *testing.T) {
	rep := readReport(t, reviewed(t))
	p := newPage(t)
	if _, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		new MutationObserver((_, seen) => {
			if (!document.querySelector('.printed')) return;
			seen.disconnect();
			dispatchEvent(new Event('beforeprint'));
			window.paper = document.querySelector('.printed').textContent + '.';
		}).observe(document, { childList: true, subtree: true })`}); err != nil {
		t.Fatal(err)
	}
	p.Open("file://" + filepath.ToSlash(filepath.Join(reviewed(t), "report.html")))
	p.Until("a print", "window.paper")
	var paper string
	p.Eval("window.paper", &paper)
	if want := rep.Findings[0].Title; !strings.Contains(paper, want) {
		t.Errorf("a print at the first sight of the page lacks %q: %q", want, paper)
	}
}

// A run that is not there is said to be none, and the server is not said to be away.
func TestAnUnknownRun(t *testing.T) {
	p := open(t, reviewed(t))
	p.Allow("status of 404")
	p.Eval("location.hash = '#/run/nowhere'", nil)
	p.Wait("there is no such run here")
	p.Rest()
	p.Rest() // both questions are answered
	if text := p.Text(); strings.Contains(text, "does not answer") {
		t.Errorf("the page says:\n%s", text)
	}
}

func newPageOfFile(t *testing.T, file string) *Page {
	t.Helper()
	needBrowser(t)
	return openFile(t, file)
}
