package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// row is the selector of the row of a turn of the root in the timeline.
func row(turn int) string { return fmt.Sprintf(`.turn-list a[href$="turns/%d"]`, turn) }

func selected(turn int) string { return row(turn) + `[aria-current="true"]` }

// A review is read from its list of turns to a dispatch and the file that it held.
func TestTurnsOfAReview(t *testing.T) {
	p := open(t, reviewed(t))
	p.ClickText("Turns")
	p.Wait("The root handed in its answer", "dispatches", "coverage")
	p.Shot("turns")

	p.Key("j")
	p.Wait("Turn 1", "What was new", "the first message", "<file_tree>")
	p.Until("the cell's code", `document.querySelector('.code')?.innerText.includes('def pieces')`)
	p.Wait("prompts over")
	p.Shot("turns-turn")
	p.ClickText("Whole prompt")
	p.Wait("System prompt", "new")
	p.Until("what was new to be marked", `document.querySelectorAll('.message-new').length === document.querySelectorAll('.message').length`)
	p.Shot("turns-prompt")
	p.Key("j")
	p.Wait("Turn 2")
	p.Until("the first message not to be new in the second turn",
		`document.querySelector('.message') && !document.querySelector('.message').classList.contains('message-new') && `+
			`document.querySelector('.message-new')`)
	p.Key("k")
	p.Wait("Turn 1")
	p.ClickText("What was new")
	p.WaitFor(`section[aria-label="Dispatches of turn 1"] tr.opens`)

	p.Key("]")
	p.Until("a chosen dispatch", `document.activeElement?.matches("tr.selected")`)
	p.Key(kb.Enter)
	p.Until("the address of a dispatch", `/turns\/\d+\/dispatch\/\d+/.test(location.hash)`)
	p.Wait("Dispatch 1 of", "offline/rules", "Review these files", "=== FILE:", `"summary"`)
	p.Shot("turns-dispatch")
	p.Click(".prompt-file-head a")
	// An address changes before its page is drawn, and only a page that is drawn hears keys.
	p.Until("the code page", `/\/code\/file\/.*line=1/.test(location.hash) && !document.querySelector("#dispatch-title")`)
	p.Eval("history.back()", nil)
	p.Until("the dispatch again", `/\/dispatch\/\d+$/.test(location.hash) && document.querySelector("#dispatch-title")`)
	p.Key(kb.Escape)
	p.Until("the turn", `/\/turns\/\d+$/.test(location.hash) && document.querySelector("#turn-title")`)
	p.Key(kb.Escape)
	p.Until("the overview", `/\/turns$/.test(location.hash)`)
}

// A rollout's turns are the same page over another trace.
func TestTurnsOfARollout(t *testing.T) {
	p := open(t, evaluated(t))
	p.Go("eval/rollout/1/turns")
	p.Wait("Ended", "turns")
	p.WaitFor(".turn-row")
	p.Key("j")
	p.Until("the turn's address", `/\/eval\/rollout\/1\/turns\/\d+$/.test(location.hash)`)
	p.Wait("Turn 1", "What was new", "<file_tree>")
	p.WaitFor(`section[aria-label="Dispatches of turn 1"] tr.opens`)
	p.Key("]")
	p.Until("a chosen dispatch", `document.activeElement?.matches("tr.selected")`)
	p.Key(kb.Enter)
	p.Wait("Dispatch 1 of")
	p.Until("the dispatch's address", `/\/eval\/rollout\/1\/turns\/\d+\/dispatch\/\d+$/.test(location.hash)`)
	p.Shot("rollout-dispatch")
	p.Key(kb.Escape)
	p.Until("the turn", `document.querySelector("#turn-title")`)
	p.Key(kb.Escape)
	p.Until("the rollout's turns", `location.hash.endsWith("/eval/rollout/1/turns")`)
}

// A finding leads to the dispatch that claimed it, and the dispatch to the finding.
func TestFindingsAndTheirDispatches(t *testing.T) {
	p := open(t, reviewed(t))
	p.Go("findings")
	p.Until("a link to a dispatch", `document.querySelector('a[href*="/findings/"]')`)
	p.Click(`a[href*="/findings/"]`)
	p.Click(`.sources a[href*="/dispatch/"]`)
	p.Until("the dispatch with its finding", `document.querySelector('.found a[href*="/findings/"]')`)
	p.Click(`.found a`)
	p.Until("the finding", `/\/findings\/./.test(location.hash)`)
}

func TestTurnsDeepLinks(t *testing.T) {
	j := startReview(t, "links")
	var turns []int
	for range 5 {
		turns = append(turns, j.did(work{dispatches: 3, output: "3 replies" + strings.Repeat("\nand more", 35)}))
	}
	j.end()
	p := open(t, j.path)
	p.Go("turns/1")
	p.Wait("Turn 1", "message of turn 1")
	p.Go(fmt.Sprintf("turns/e%d", turns[2])) // a link by an event: the address then names the turn
	p.Until("the address of turn 3", `location.hash.endsWith("/turns/3")`)
	p.Wait("Turn 3", "message of turn 3", "next group", "3 replies", "3 dispatches")
	p.WaitFor(selected(3))
	p.Go(fmt.Sprintf("turns/4/dispatch/%d", turns[3]+2))
	p.Wait("Dispatch 2 of 3", "prompt of t004")
	p.Key("J")
	p.Wait("Dispatch 3 of 3")
	p.Key("J[[")
	p.Wait("Dispatch 1 of 3")
	p.Key("k")
	p.Wait("Turn 3", "message of turn 3")
	p.Go(fmt.Sprintf("turns/2/cell/%d", turns[1]+4))
	p.Wait("Turn 2", "replies", "new", "changed")
	p.Go(fmt.Sprintf("turns/1/cell/%d", turns[0]+4))
	p.Until("the cell in sight", fmt.Sprintf(
		`(() => { const e = document.querySelector('[data-event="%d"]'); `+
			`if (!e || !document.body.innerText.includes('message of turn 1')) return false; `+
			`const y = e.getBoundingClientRect().top - document.querySelector('.trace-main').getBoundingClientRect().top; `+
			`return y >= 0 && y < 100; })()`, turns[0]+4))
	p.Allow("status of 404")
	p.Go("turns/999999")
	p.Wait("no turn 999999")
	p.Go("turns/e999999")
	p.Wait("no turn with event 999999")
	p.Go(fmt.Sprintf("turns/1/dispatch/%d", turns[3]+2))
	p.Wait("has no dispatch with event")
	p.Go("turns/../../x")
	p.Wait("5 turns", "The trace has no ..")
}

func TestTurnsFilter(t *testing.T) {
	j := startReview(t, "filter")
	j.did(work{code: "first_words = 1\n"})
	j.did(work{code: "second_words = 2\n", failed: "KeyError"})
	j.did(work{children: 1})
	j.end()
	p := open(t, j.path)
	p.Go("turns")
	p.Wait("5 turns", "in 2 loops", "Child loop", "t003.c01.d001.0001")
	p.Key("/")
	p.Until("the caret in the filter", `document.activeElement?.matches('.turn-filter input')`)
	p.Eval("document.activeElement.select()", nil)
	p.Key("second")
	p.Until("one row",
		`document.querySelectorAll('.turn-list a').length === 1 && document.querySelector('.turn-list a[href$="turns/2?q=second"]')`)
	p.Wait("1 of 5 turns")
	p.Key(kb.Escape)
	p.WaitFor(row(1))
	p.ClickText("errors only")
	p.Until("the failed turn alone", `document.querySelectorAll('.turn-list a').length === 1 && location.hash.includes('errors=1')`)
	p.Key("j")
	p.Wait("Turn 2", "KeyError: it did not work")
	p.Until("the filter in the address", `location.hash.includes('errors=1')`)
	p.Eval("window.old = true; location.reload()", nil)
	p.Until("the page again", `!window.old && document.body?.innerText.includes("KeyError")`)
	p.Wait("1 of 5 turns")
	p.Click(".turn-filter input[type=checkbox]")
	p.Eval(`(() => { const s = document.querySelector('.turn-filter select'); s.value = '1'; `+
		`s.dispatchEvent(new Event('change', {bubbles: true})); })()`, nil)
	p.Until("the child's turns", `document.querySelectorAll('.turn-list a').length === 2`)
	p.Wait("2 of 5 turns")
}

// A live run grows: what is new appears, the reader's place stays, and who follows is taken along.
func TestTurnsGrow(t *testing.T) {
	j := startReview(t, "live")
	for range 40 {
		j.did(work{dispatches: 1})
	}
	p := open(t, j.path)
	p.Go("turns/5")
	p.Wait("40 turns", "Not yet", "message of turn 5")
	p.Eval(`document.querySelector('.turn-list').scrollTop = 480`, nil)
	place := `document.querySelector(` + quote(row(13)) + `)?.getBoundingClientRect().top`
	p.Until("row 13", place)
	var before, after float64
	p.Eval(place, &before)
	// Two loops begin in turn 3, above what the reader sees, and turns come at the end.
	for c := range 2 {
		j.did(work{node: fmt.Sprintf("t003.c01.d001.%04d", c+1), number: 1, dispatches: 1})
	}
	j.did(work{dispatches: 1})
	p.Wait("43 turns", "in 3 loops")
	p.Eval(place, &after)
	if before != after {
		t.Errorf("row 13 was at %v and is at %v", before, after)
	}
	if hash := p.Hash(); !strings.HasSuffix(hash, "turns/5") {
		t.Errorf("the reader was taken to %s", hash)
	}
	p.Key("f")
	p.Until("the newest turn", `location.hash.endsWith('turns/41')`)
	p.Wait("message of turn 41")
	j.did(work{dispatches: 2, output: "the newest output"})
	p.Wait("message of turn 42", "the newest output", "2 dispatches")
	p.WaitFor(selected(42))
	// An output that comes after its turn was opened is shown without a click.
	j.end()
	p.Wait("The root handed in its answer")
	p.WaitGone("follow")
}

// What a model, a repository or a file says is text, wherever it stands.
func TestTurnsOfAHostileTrace(t *testing.T) {
	const evil = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
	j := startReview(t, "hostile")
	hidden := "a\u202eb\u0000c"
	key := "t001"
	j.add(trace.Event{Kind: trace.KindRoot, Turn: 1, Key: key, Root: &trace.Root{
		Model: evil, Message: evil + hidden, Text: "[link](javascript:document.title='owned') ![image](http://127.0.0.1:9/x.png) " + evil +
			"\n```python\n" + evil + "\n```\n",
		Reasoning: evil, Finish: evil, Usage: trace.Usage{InputTokens: -5, OutputTokens: 1 << 60}, Seconds: -1e300,
	}})
	j.add(trace.Event{Kind: trace.KindDispatch, Turn: 1, Key: key + ".c01.d001.0001", Dispatch: &trace.Dispatch{
		Model: evil, Prompt: "=== FILE: ../../" + evil + " (lines 1-2 of 2) ===\n" + evil + "\n", Reply: `{"summary": "` + hidden + `</script>"}`,
		Error: evil, Files: []string{"../../etc/passwd", "javascript:alert(1)", evil}, Seconds: 1e300,
	}})
	j.add(trace.Event{Kind: trace.KindCell, Turn: 1, Key: key + ".c01", Cell: &trace.Cell{
		Index: -1, Code: evil, Output: strings.Repeat("long ", 100_000) + hidden, OutputTotal: 1 << 40, ErrorType: evil, Error: evil,
		Stop: evil, Steps: -1, Seconds: 1e300,
		Variables: []trace.Variable{{Name: evil, Type: evil, Value: evil, Change: evil}},
	}})
	j.add(trace.Event{Kind: trace.KindGate, Turn: 99, Gate: &trace.Gate{Coverage: -7, Wanted: 1e9, Count: -1}})
	j.add(trace.Event{Kind: trace.KindCompact, Turn: 1, Key: "x", Compact: &trace.Compact{From: 9, To: -9, Digest: evil}})
	for _, node := range []string{"a/b/c", "/", "t001.c01.d001.0001", "t001.c01.d001.0001/t001.c01.d001.0001", evil, "t9999999999."} {
		j.did(work{node: node, number: 1, dispatches: 1})
	}
	j.add(trace.Event{Kind: trace.KindEnd, End: &trace.End{Status: evil, StopReason: evil}})
	j.close()
	p := open(t, j.path)
	p.Eval("document.title = 'mine'", nil)
	p.Go("turns")
	p.Wait("Ended", "<img src=x onerror")
	p.Key("j")
	p.Wait("Turn 1", "U+202E", "<script>document.title", "Show the whole output")
	p.ClickText("Exact text")
	p.ClickText("Whole prompt")
	p.Wait("messages,")
	p.Key("]")
	p.Until("a chosen dispatch", `document.activeElement?.matches("tr.selected")`)
	p.Key(kb.Enter)
	p.Wait("Dispatch 1 of 1", "The dispatch failed", "../../etc/passwd", "U+202E")
	p.Shot("turns-hostile")
	time.Sleep(200 * time.Millisecond) // an image's error would come by now
	var title string
	p.Eval("document.title", &title)
	if strings.Contains(title, "owned") {
		t.Error("a text of the trace was run")
	}
	if n := p.Count("main img, main script, main iframe"); n > 0 {
		t.Errorf("%d elements were made of the trace's texts", n)
	}
	var links []string
	p.Eval(`[...document.querySelectorAll('main a')].map(a => a.getAttribute('href')).filter(h => !h.startsWith('#/'))`, &links)
	if len(links) > 0 {
		t.Errorf("links that lead elsewhere: %q", links)
	}
}

// TestWhoLeavesTheTurnsKeepsTheirFilter: the list of turns, which says its filter a moment after it was typed, says nothing when it
// was only looked at. The page is kept busy until that moment is over, and then left.
func TestWhoLeavesTheTurnsKeepsTheirFilter(t *testing.T) {
	p := open(t, reviewed(t))
	there := "#/run/" + p.run
	p.Eval(`(() => {
		new MutationObserver((_, o) => {
			if (!document.querySelector('[aria-label="Filter turns"]')) return;
			o.disconnect();
			setTimeout(() => {
				for (const t = performance.now(); performance.now() - t < 300;);
				location.hash = `+quote(there+"/findings?q=nowhere")+`;
			}, 60);
		}).observe(document.body, { childList: true, subtree: true });
		location.hash = `+quote(there+"/turns")+`;
	})()`, nil)
	p.Wait("No finding passes the filter")
}
