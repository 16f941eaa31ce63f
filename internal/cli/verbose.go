package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// mostNamed is how many files of a dispatch are named.
const mostNamed = 3

// event says of each reply, of the root or to a dispatch, what was asked, and what became of it.
func (p *progress) event(e trace.Event) {
	switch {
	case e.Dispatch != nil:
		d := e.Dispatch
		about := strings.Join(d.Files[:min(len(d.Files), mostNamed)], ", ")
		if more := len(d.Files) - mostNamed; more > 0 {
			about += fmt.Sprintf(" and %d more", more)
		}
		outcome := used(d.Usage, d.Error, d.Seconds)
		if d.Cached {
			outcome = "from the cache"
		}
		p.say(termtext.Inline(fmt.Sprintf("dispatch %s, %s: %s: %s: %s", e.Key, d.Model, cmp.Or(string(d.Purpose), "review"),
			cmp.Or(about, "no file"), outcome)))
	case e.Root != nil:
		p.say(termtext.Inline(fmt.Sprintf("turn %d, %s: %s", e.Turn, e.Root.Model, used(e.Root.Usage, e.Root.Error, e.Root.Seconds))))
	}
}

// used is what a call consumed, or why it failed.
func used(u trace.Usage, failed string, seconds float64) string {
	if failed != "" {
		return "failed: " + failed
	}
	var cost *money.USD
	if u.CostPico != nil {
		cost = new(money.USD(*u.CostPico))
	}
	return fmt.Sprintf("%d tokens in, %d out, %s, %.1f s", u.InputTokens, u.OutputTokens, money.Text(cost, "$?"), seconds)
}
