package e2e

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/web/ui"
)

// texts are elements with a text for which a condition holds: of the text, its element e, and its rectangles rects.
func texts(condition string) string {
	return `(() => {
	const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
	for (let n = walk.nextNode(); n; n = walk.nextNode()) {
		const text = n.data.trim(), e = n.parentElement;
		if (!text || e.closest('svg, option, .off-screen, .skip') || !e.checkVisibility({visibilityProperty: true})) continue;
		range.selectNodeContents(n);
		const rects = [...range.getClientRects()].filter(r => r.width > 0);
		if (` + condition + `) found.push(e.outerHTML.slice(0, 120));
	}
	return found.slice(0, 5);
})()`
}

// broken are figures that stand on more than one line.
var broken = texts(`/^[\d.,:$%]{2,16}$/.test(text) && new Set(rects.map(r => Math.round(r.top))).size > 1`)

// squeezed are texts of which next to nothing is seen.
var squeezed = texts(`text.length > 2 && ` +
	`[...(function* () { for (let a = e; a !== document.body; a = a.parentElement) yield a; })()].some(a => {
	const style = getComputedStyle(a);
	return ['hidden', 'clip'].includes(style.overflowX) && style.position !== 'absolute' && a.getBoundingClientRect().width < 24 &&
		a.scrollWidth > a.clientWidth + 2;
})`)

// Every place of the page, narrow and wide: nothing sticks out, no text is cut to nothing, no figure is broken over lines, and nothing
// goes wrong. With -screenshots DIR each is written in light and dark, as long as it is.
func TestEveryPlace(t *testing.T) {
	needBrowser(t)
	findings := readReport(t, reviewed(t)).Findings
	places := everyPlace(t, view.ID, findings[0].ID, findings[0].File)
	now := time.Now()
	f := &someFleet{status: fleet.Status{
		Version: "v1",
		Workers: []fleet.WorkerStatus{
			{Name: "big", Version: "v1", Kinds: []fleet.Kind{fleet.KindJudge}, Slots: 8, Running: 3, Done: 100, UpSeconds: 10, OldestSeconds: 61},
			{Name: "small-machine-in-the-cellar", Version: "v1", Kinds: []fleet.Kind{fleet.KindJudge}, Slots: 1, Done: 12_007, UpSeconds: 400_000,
				Draining: true},
		},
		Queues: []fleet.QueueStatus{{Kind: fleet.KindJudge, Waiting: 5, Running: 3, Done: 12_107, Dead: 1, OldestSeconds: 12}},
		Runs:   []fleet.RunMoney{{Run: "grpo-7", Cap: 5 * money.Dollar, Spent: 2 * money.Dollar, Leased: money.Dollar / 2, Items: 4, At: now}},
		Dead:   []fleet.DeadItem{{Kind: fleet.KindJudge, Key: "abc123", At: now, Worker: "big", Reason: "the sandbox failed"}},
	}}
	address := serveHere(t, ui.Config{Dirs: []string{filepath.Join(world, "runs"), filepath.Join(world, "copies", t.Name())}, Fleet: f.ask,
		FleetURL: "nats://hub:4222"})
	p := newPage(t) // after the server, which goes last: a page without one would complain
	p.Open(address + "/")
	for _, at := range places {
		p.Size(1440, 900)
		p.Eval("location.hash = "+quote(at.at), nil)
		p.quiet(at.at)
		if at.click != "" {
			p.Click(at.click)
			p.Until("the end of waiting", "!document.querySelector('main .loading')")
		}
		p.Wait(at.says)
		for _, width := range []int{1440, 390} {
			p.Size(width, 900)
			p.none(fmt.Sprintf("%s, %d pixels: sticks out", at.name, width), overflow)
			p.none(fmt.Sprintf("%s, %d pixels: on several lines", at.name, width), broken)
			p.none(fmt.Sprintf("%s, %d pixels: cut to nothing", at.name, width), squeezed)
			p.shotWhole(at.name, width)
		}
		if at.name == "help" {
			p.Reload()
		}
	}
}
