package verify

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Shares of the samples from which on a diagnosis is made. Models that work have none of these faults in such numbers:
// they mostly fail by a wrong answer.
const (
	fewest         = 10   // samples, below which nothing is said
	shareMissing   = 0.20 // no entry point
	shareEmpty     = 0.10
	shareSyntax    = 0.20
	shareTimeout   = 0.10
	shareMemory    = 0.05
	shareClass     = 0.50 // of those that did not pass: one exception other than AssertionError
	shareMessage   = 0.30 // of all: one exception with one text, on sameTasks tasks or more
	sameTasks      = 5
	shareFence     = 0.05 // of those that did not pass: fences in texts that were taken as they are
	shareCut       = 0.05
	shareClock     = 0.01
	shareSpecial   = 0.05
	shareRescued   = 0.05
	nothingSamples = 20 // samples of which none passed
)

// Diagnosis says, one line each, what looks wrong with how the samples were made or judged rather than with the model.
// The first is the one to look at first.
func (l *Ledger) Diagnosis() []string {
	n := l.Judged()
	var said []string
	cut := false // said already
	say := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	if infra := l.Verdicts[sandbox.InfraError]; infra > 0 {
		say("%d of %d samples have no verdict: the sandbox failed on them twice; they count neither as passed nor as failed", infra, l.Total)
	}
	if n < fewest {
		return said
	}
	share := func(count int) float64 { return float64(count) / float64(n) }
	percent := func(count int) string { return fmt.Sprintf("%.1f%%", 100*share(count)) }

	if c := l.Verdicts[sandbox.NoEntryPoint]; share(c) >= shareMissing {
		say("entry point missing in %s: the prompt does not say the name, or extraction lost the def line", percent(c))
	}
	if c := l.Verdicts[sandbox.Empty]; share(c) >= shareEmpty {
		if first := l.Signs[SignSpecialFirst]; 2*first >= c {
			say("%s empty: the model stopped at once, with a special token first: "+
				"strip the prompt's last newline, and keep special tokens visible", percent(c))
		} else {
			say("%s empty: the model stopped at once (the prompt ends in a newline? a special token as the first token, hidden when decoding?)",
				percent(c))
		}
	}
	if c := l.Verdicts[sandbox.SyntaxError]; share(c) >= shareSyntax {
		switch {
		case 2*l.Signs[SignCut] >= c:
			say("%s syntax errors: replies were cut by the token limit; raise it", percent(c))
			cut = true
		case 2*l.Signs[SignFence] >= c:
			say("%s syntax errors: Markdown fences in what was taken for code; read the replies as chat", percent(c))
		default:
			say("%s syntax errors: this looks like prose, or like replies that were cut", percent(c))
		}
	} else if c := l.Signs[SignFence]; l.Extraction["exact"] == l.Total && share(c) >= shareFence && l.Passed() < n {
		say("%s hold Markdown fences but were taken as they are: read the replies as chat", percent(c))
	}
	if c := l.Verdicts[sandbox.Timeout]; share(c) >= shareTimeout {
		say("%s timeouts: programs that wait for input or never end? Look at what runs at their top level", percent(c))
	}
	if c := l.Verdicts[sandbox.Memory]; share(c) >= shareMemory {
		say("%s ran out of memory", percent(c))
	}
	l.diagnoseClasses(n, say)
	if c := l.Signs[SignCut]; share(c) >= shareCut && !cut {
		say("%s were cut by the token limit: raise it", percent(c))
	}
	if c := l.Signs[SignSpecial] - l.Signs[SignSpecialFirst]; share(c) >= shareSpecial && l.Extraction["exact"] == l.Total {
		say("%s hold special tokens of a model but were taken as they are: read them as completions", percent(c))
	}
	if share(l.Clock) >= shareClock {
		say("%s were ended by the clock, not by their step budget: this machine was very busy, and another may judge them otherwise",
			percent(l.Clock))
	}
	if l.Flaky > 0 {
		say("%d programs did not do the same with every random seed: they count as not passed", l.Flaky)
	}
	if share(l.Rescued) >= shareRescued {
		say("%s would pass if their only function had the right name: the prompt does not say it", percent(l.Rescued))
	}
	if l.Passed() == 0 && n >= nothingSamples {
		say("nothing passed in %d samples: even weak models pass some; look at a few of them before believing this", n)
	}
	return said
}

// diagnoseClasses looks for an exception that is too frequent to come from programs that merely are wrong.
func (l *Ledger) diagnoseClasses(n int, say func(string, ...any)) {
	failed := n - l.Passed()
	for _, c := range l.Classes() {
		if c.Name == "AssertionError" || c.Name == "SyntaxError" || c.Name == "IndentationError" {
			continue
		}
		if failed >= fewest && float64(c.Count) >= shareClass*float64(failed) {
			if c.Same > 1 && c.Message != "" {
				say("one error class dominates: %s in %d of the %d that did not pass (%q %d times): this looks like a harness fault", c.Name,
					c.Count, failed, short(c.Message), c.Same)
			} else {
				say("one error class dominates: %s in %d of the %d that did not pass: this looks like a harness fault", c.Name, c.Count, failed)
			}
			return
		}
		if float64(c.Same) >= shareMessage*float64(n) && c.Tasks >= sameTasks && c.Message != "" {
			say("the same error in %d samples of %d tasks: %s: %s: this looks like a harness fault", c.Same, c.Tasks, c.Name, short(c.Message))
			return
		}
	}
}
