package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// A code eval: the controls stand before the score, the verdicts filter the tasks, a task shows what was asked, written
// and run.
func TestCodeEval(t *testing.T) {
	p := open(t, codeEvaluated(t, "base"))
	p.Go("codeeval")
	p.Wait("15 of 15 references pass")
	p.Wait("0 of 90 null programs pass")
	p.Until("the controls before the score",
		`(() => { const c = document.querySelector('.controls'), s = document.querySelector('.score-main'); `+
			`return c && s && (c.compareDocumentPosition(s) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0; })()`)
	p.Wait("66.7%")
	rows := `document.querySelectorAll('[aria-label="Tasks"] [role=row], table[aria-label="Tasks"] tr').length`
	var all, failed int
	p.Eval(rows, &all)
	p.Click(`.verdict-part[aria-pressed=false]:last-child`)
	p.Until("fewer tasks", rows+" < "+fmt.Sprint(all))
	p.Eval(rows, &failed)
	if !strings.Contains(p.Hash(), "verdict=failed") || failed != all-10 {
		t.Errorf("at %s %d rows of %d", p.Hash(), failed, all)
	}
	p.Key("j")
	p.Key(kb.Enter)
	p.Until("a task's page", `location.hash.includes('codeeval/task/HumanEval/1')`)
	p.Wait("Prompt, as sent to the model")
	p.Wait("0 of 1 test passed")
	p.Wait("return x + 2")
	p.Shot("codeeval-task")
	p.Key("l")
	p.Until("the next sample", `location.hash.includes('sample=1')`)
	p.ClickText("Reply")
	p.Wait("Here it is:")
	p.Key("j")
	p.Until("the next task", `location.hash.includes('codeeval/task/HumanEval/2')`)
}

// A comparison: what changed, whether it is more than chance, and both programs of a task that changed.
func TestCompare(t *testing.T) {
	p := open(t, compared(t))
	p.Go("compare")
	p.Wait("Head to head")
	p.Wait("Holm")
	p.Until("the four fields", `[...document.querySelectorAll('.four-fields tbody td')]`+
		`.map(d => d.innerText.split(' ')[0]).join() === '8,2,4,1'`)
	p.ClickText("HumanEval/4")
	p.Wait("tuned against coder-base")
	p.Wait("return x + 5")
	p.Wait("return x + 4")
	p.Until("both sides", `document.querySelectorAll('.diff-row.split').length > 0`)
	p.Shot("compare-task")
	p.Key("j")
	p.Until("the next task that changed", `location.hash.includes('compare/task/HumanEval/') && !location.hash.includes('HumanEval/4?')`)
}

// The page that a comparison leaves holds both programs of each task that changed, without a server and without the files
// that were compared.
func TestCompareFromDisk(t *testing.T) {
	needBrowser(t)
	p := openFile(t, filepath.Join(compared(t), "compare.html"))
	p.Wait("completed")
	p.ClickText("Comparison")
	p.ClickText("HumanEval/4")
	p.Wait("return x + 5")
	p.Wait("return x + 4")
}

// Pairs: the funnel, the browser with its filters, a pair with the proof that its sides are what their labels say.
func TestPairs(t *testing.T) {
	p := open(t, paired(t))
	p.Go("pairs")
	p.Wait("as labelled")
	p.ClickText("Funnel")
	p.Wait("run again after all filters")
	p.ClickText("Balance")
	p.Wait("Guessed from length")
	p.ClickText("Card")
	p.Wait("Preference pairs from MBPP")
	p.Go("pairs?q=MBPP/604")
	p.Wait("MBPP/604")
	p.Until("only that task", `!document.querySelector('main').innerText.includes('MBPP/11')`)
	p.Key("j")
	p.Key(kb.Enter)
	p.Until("a pair", `/pairs\/\d+\?/.test(location.hash)`)
	p.Wait("Dataset's tests")
	p.Wait("3 of 3")
	p.Wait("sum the even numbers")
	p.Shot("pair")
	p.ClickText("Rejected")
	p.Until("the rejected program alone", `location.hash.includes('show=rejected')`)
}

// What a stranger's files say is text: it runs nothing, and nothing outside the directory is read for it.
func TestHostileCodeRuns(t *testing.T) {
	const evil = `<img src=x onerror=alert(1)><script>alert(2)</script>`
	eval := copied(t, codeEvaluated(t, "base"))
	results := filepath.Join(eval, "results.jsonl")
	text, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	quoted := strings.Trim(quote(evil), `"`)
	runtest.WriteFile(t, results, strings.ReplaceAll(strings.ReplaceAll(string(text), "AssertionError", quoted), "def add_",
		quoted+"\\u202edef add_"))
	p := open(t, eval)
	p.Go("codeeval/task/HumanEval/1")
	p.Wait("onerror=alert(1)")
	p.Until("nothing of it in the page's tree", `!document.querySelector('main img, main script')`)
	p.Until("the sign that turns text round is seen", `document.querySelector('main .hidden-char') !== null`)

	pairs := copied(t, paired(t))
	runtest.WriteFile(t, filepath.Join(pairs, "card.md"), "# "+evil+"\n\n[x](javascript:alert(3))\n")
	p = open(t, pairs)
	p.Go("pairs?tab=card")
	p.Wait("onerror=alert(1)")
	p.Until("no link that runs", `!document.querySelector('main img, main script, main a[href^="javascript"]')`)
}
