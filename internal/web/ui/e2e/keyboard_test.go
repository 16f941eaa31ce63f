package e2e

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/deeprepo/deeprepo/internal/view"
)

// The page without a mouse: from the list into a run and through its sections, the help, the search.
func TestKeyboard(t *testing.T) {
	needBrowser(t)
	dir := reviewed(t)
	evaluated(t)
	p := openList(t, filepath.Join(world, "runs"))
	p.Wait("planted-review")
	p.Rest() // effects, such as a list's keys, come after the first frame
	p.Key("?")
	p.Until("the help", "document.querySelector('dialog[open]')?.innerText.includes('next')")
	p.Key(kb.Escape)
	p.Until("the end of the help", "!document.querySelector('dialog[open]')")
	p.Key("/")
	p.Until("the caret in the search", "document.activeElement?.matches('input')")
	p.Key("planted")
	p.WaitGone("honest-eval")
	p.Eval("document.activeElement.blur()", nil)
	p.Key("j")
	p.Key(kb.Enter)
	p.Until("the first run that is left", "location.hash.startsWith('#/run/')")
	p.Wait("planted-review")
	places := p.sections()
	for i, place := range places {
		p.Key(string(rune('1' + i)))
		p.settled(place)
	}
	p.run = view.ID(dir)
	p.Go("turns")
	p.Wait("Put every line")
	p.Rest()
	p.Key("j")
	p.Key(kb.Enter)
	p.Until("a turn in the address", "/turns\\/\\d+/.test(location.hash)")
	p.Wait("prompt", "cell")
	p.Rest()
	first := p.Hash()
	p.Key("j")
	p.Until("the next turn in the address", "location.hash !== "+quote(first))
	p.Key("k")
	p.Until("the turn before it", "location.hash === "+quote(first))
	// Tab reaches something to press, and what has the focus can be seen to have it.
	p.Key(kb.Tab)
	p.Until("a focus that can be seen",
		`(e => e !== document.body && (getComputedStyle(e).outlineStyle !== 'none' `+
			`|| getComputedStyle(e).boxShadow !== 'none'))(document.activeElement)`)
}
