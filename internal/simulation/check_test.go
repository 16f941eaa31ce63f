package simulation_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// check says which promises an execution breaks.
func check(p played) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if p.err != nil {
		wrong = append(wrong, lacksHint(nil, p.err)...)
		if !p.s.hostile && !p.ended && p.s.kills == 0 {
			say("an error: %v", p.err)
		}
		if p.out.Dir == "" {
			return wrong
		}
	}
	r := p.out.Report
	wrong = append(wrong, bill(p)...)
	wrong = append(wrong, complete(p)...)
	if answered := p.answered(); p.s.options.Strategy == review.StrategyRLM && r.Coverage.LinesAnswered != answered {
		say("lines_answered is %d, the book has %d", r.Coverage.LinesAnswered, answered)
	}
	wrong = append(wrong, lacksHint(p.out.Cause, nil)...)
	wrong = append(wrong, unsafe(p)...)
	return wrong
}

// bill compares the bill with what the provider really charged.
func bill(p played) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	var billed, over, forgotten, lostOver money.USD
	exact := true // the program was told of every charge, and its journal has it
	events, charges, dearest := p.events(), map[string]int{}, map[string]money.USD{}
	for i, c := range p.all() {
		exact = exact && c.told
		if i < len(p.earlier) && c.cost > 0 {
			charges[c.role+c.hash]++
			dearest[c.role+c.hash] = max(dearest[c.role+c.hash], c.over) // which of equal calls was lost, nobody can tell
			if charges[c.role+c.hash] > events[c.role+c.hash] {          // lost in flight; as much as was reserved is booked for it
				exact, lostOver = false, money.AddUSD(lostOver, dearest[c.role+c.hash])
			}
		}
		billed, over = money.AddUSD(billed, c.cost), money.AddUSD(over, c.over)
		if i < len(p.earlier) && !(c.told && p.journaled(c)) {
			forgotten = money.AddUSD(forgotten, c.cost)
		}
	}
	if reservationsAreJournaled() {
		forgotten = 0
	}
	if p.budget != nil && billed > money.AddUSD(money.AddUSD(*p.budget, over), forgotten) {
		say("billed %s, the cap is %s, %s were overcharged", billed.Decimal(), p.budget.Decimal(), over.Decimal())
	}
	total := p.out.Report.Usage.TotalCostUSD
	const rounding = 1e-9
	if total != nil && *total > billed.Float64()*(1+rounding)+rounding {
		say("the report says $%v, the provider charged %s", *total, billed.Decimal())
	}
	if total != nil && exact && billed < money.MaxUSD && *total < billed.Float64()*(1-rounding)-rounding {
		say("the report says $%v, and the program was told of %s", *total, billed.Decimal())
	}
	if total != nil && *total < 0 {
		say("the report says $%v", *total)
	}
	if most := atMost(p.out.Report.Usage); most != nil && billed.Float64()-lostOver.Float64() > *most*(1+rounding)+rounding {
		say("the report says at most $%v, the provider charged %s", *most, billed.Decimal())
	}
	return wrong
}

// atMost is the report's upper bound of the bill, nil where it gives none. It is the one place that knows the field: the check of
// the upper bound begins to work when report.json has usage.at_most_usd.
func atMost(u runfile.ReportUsage) *float64 {
	if f := fieldOf(u, "at_most_usd"); f.IsValid() {
		if most, ok := f.Interface().(*float64); ok {
			return most
		}
	}
	return nil
}

// reservationsAreJournaled says whether a resumed run knows what the calls in flight may have cost when it was killed, so that the
// cap holds over all its executions. Without, what was charged and not told counts beside the cap.
func reservationsAreJournaled() bool {
	return fieldOf(runfile.ReportUsage{}, "at_most_usd").IsValid()
}

// fieldOf is the field of a struct that has that name in JSON.
func fieldOf(v any, name string) reflect.Value {
	rv := reflect.ValueOf(v)
	for i := range rv.NumField() {
		if tag, _, _ := strings.Cut(rv.Type().Field(i).Tag.Get("json"), ","); tag == name {
			return rv.Field(i)
		}
	}
	return reflect.Value{}
}

// complete checks the word "completed": nothing is missing, and the provider really answered for what the root asked.
func complete(p played) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	run := p.out.Report.Run
	if p.err == nil && p.s.easy() && !p.ended && (run.Status != trace.StatusCompleted || p.out.Report.Coverage.Fraction != 1) {
		say("nothing went wrong, and the run is %s (%s), coverage %v: %+v", run.Status, run.StopReason, p.out.Report.Coverage.Fraction,
			run.Shortfalls)
	}
	if run.Status != trace.StatusCompleted {
		if len(run.Shortfalls) == 0 {
			say("the run is %s (%s) and nothing is missing", run.Status, run.StopReason)
		}
		return wrong
	}
	for _, short := range run.Shortfalls {
		if !short.Code.Bearable() {
			say("completed with the shortfall %+v", short)
		}
	}
	usable, asked := p.usable(), map[string]bool{}
	for _, c := range p.all() {
		if c.role != "worker" || c.verdict {
			continue
		}
		for _, path := range filesOf(p.code, c.prompt) {
			asked[path] = true
		}
	}
	for path := range asked {
		if text, _ := p.code.Text(path); !usable[text] && strings.TrimSpace(text) != "" {
			say("completed, and nobody answered for %q", path)
		}
	}
	if p.s.options.Strategy != review.StrategyRLM {
		return wrong
	}
	if p.answered() == 0 && p.code.Stats().Lines > 0 && len(asked) > 0 {
		say("completed, and no line was answered")
	}
	if all := p.code.Stats().Lines; p.s.plain && p.answered() != all {
		say("completed with %d of %d lines answered", p.answered(), all)
	}
	return wrong
}

// easy says that nothing can go wrong in a scenario.
func (s scenario) easy() bool {
	return s.kills == 0 && len(s.faults) == 1 && s.faults[0] == none && s.plain && !s.hostile && s.options.MaxTurns >= len(s.cells) &&
		s.ample() && s.options.Strategy == review.StrategyRLM
}

// ample says that money does not matter.
func (s scenario) ample() bool {
	return s.options.Budget == nil || *s.options.Budget >= 1000*money.Dollar
}

// filesOf are the files that a prompt holds: one of the script's own, or those of pack and review with their numbered lines.
func filesOf(code *codebase.Codebase, prompt string) (paths []string) {
	for _, path := range code.Paths() {
		text, _ := code.Text(path)
		if prompt == "=== FILE: "+path+" ===\n"+text {
			return []string{path}
		}
		if text != "" && strings.Contains(prompt, packed(path, text)) {
			paths = append(paths, path)
		}
	}
	return paths
}

// packed is a file as pack shows it.
func packed(path, text string) string {
	if strings.ContainsFunc(path, unicode.IsControl) {
		path = strconv.Quote(path)
	}
	var b strings.Builder
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	fmt.Fprintf(&b, "=== FILE: %s (lines 1-%d of %[2]d) ===\n", path, len(lines))
	for i, line := range lines {
		fmt.Fprintf(&b, "%4d| %s\n", i+1, strings.TrimRight(line, "\r"))
	}
	return b.String()
}

// usable are the texts of the files that were answered, by the provider's book: in this execution, or in an earlier one that put
// the reply into the journal, or in another run that put it into the cache.
func (p played) usable() map[string]bool {
	texts := map[string]bool{}
	take := func(c charge) {
		for _, path := range filesOf(p.code, c.prompt) {
			text, _ := p.code.Text(path)
			texts[text] = true
		}
	}
	for i, c := range p.all() {
		if c.usable && (i >= len(p.earlier) || p.journaled(c)) {
			take(c)
		}
	}
	for _, c := range p.cached {
		if c.usable {
			take(c)
		}
	}
	return texts
}

// answered counts the lines that were answered. A file of blank lines is covered from the start.
func (p played) answered() int {
	usable, n := p.usable(), 0
	for _, path := range p.code.Paths() {
		if text, _ := p.code.Text(path); text != "" && (usable[text] || strings.TrimSpace(text) == "") {
			n += strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
		}
	}
	return n
}

// journaled says whether the journal that this execution began with holds the reply.
func (p played) journaled(c charge) bool {
	for _, e := range p.past {
		switch {
		case e.Kind == trace.KindDispatch && c.role == "worker" && e.Hash == c.hash && !e.Dispatch.Cached:
			if e.Dispatch.Reply == c.text || !c.replied {
				return true
			}
		case e.Kind == trace.KindRoot && c.role == "root" && e.Key == c.hash:
			return true
		}
	}
	return false
}

// events counts the events of calls that were billed, in the journal that this execution began with.
func (p played) events() map[string]int {
	n := map[string]int{}
	for _, e := range p.past {
		switch {
		case e.Kind == trace.KindDispatch && !e.Dispatch.Cached && e.Dispatch.Usage.InputTokens > 0:
			n["worker"+e.Hash]++
		case e.Kind == trace.KindRoot:
			n["root"+e.Key]++
		}
	}
	return n
}

// repeated says which paid replies a resumed run has asked for again though its journal had them.
func repeated(p played) (wrong []string) {
	held := map[string]bool{}
	for _, e := range p.past {
		switch {
		case e.Kind == trace.KindDispatch && e.Dispatch.Error == "":
			held["worker "+e.Hash] = true
		case e.Kind == trace.KindRoot && e.Root.Error == "":
			held["root "+e.Key] = true
		}
	}
	for _, c := range p.book {
		if held[c.role+" "+c.hash] {
			wrong = append(wrong, fmt.Sprintf("%s: %s %s was asked again", filepath.Base(p.dir), c.role, c.hash))
		}
	}
	lost := map[string]bool{}
	for _, c := range p.earlier {
		if c.replied && !p.journaled(c) && !strings.Contains(c.hash, " ") {
			lost[c.role+c.hash] = true
		}
	}
	if most := (2*p.s.options.Concurrency + 1) * len(p.s.breaks); len(lost) > most {
		wrong = append(wrong, fmt.Sprintf("%d replies were lost that had been in flight, at most %d can be", len(lost), most))
	}
	return wrong
}

// repeatedFromCache says which replies a run has paid for though another run had put them into its cache.
func repeatedFromCache(p played) (wrong []string) {
	held := map[string]bool{}
	for _, c := range p.cached {
		held[c.hash] = held[c.hash] || c.role == "worker" && c.usable && c.fault != wholeAtLimit
	}
	for _, c := range p.book {
		if held[c.hash] {
			wrong = append(wrong, fmt.Sprintf("worker %s was asked again, though its reply is in the cache", c.hash))
		}
	}
	return wrong
}

// comparable says whether an interrupted run must give the report of the uninterrupted one.
func (s scenario) comparable(whole, last played) bool {
	if !s.sticky || s.kills > 0 || !s.ample() || whole.err != nil || last.err != nil || last.ended {
		return false
	}
	for _, f := range s.faults {
		if f == rateLimitedLong || f == rateLimited || f == absurdUsage || f == overcharge {
			return false // depends on time or on what was spent
		}
	}
	return !strings.Contains(strings.Join(s.cells, ""), "budget()")
}

// differs says where two reports differ: times, names and costs aside.
func differs(whole, last played) (wrong []string) {
	aside := cmp.Options{cmpopts.IgnoreFields(runfile.ReportRun{}, "ID", "StartedAt", "DurationS"),
		cmpopts.IgnoreFields(runfile.Report{}, "Usage")}
	if diff := cmp.Diff(whole.out.Report, last.out.Report, aside); diff != "" {
		wrong = append(wrong, fmt.Sprintf("after %d interruptions the report differs:\n%s", len(whole.s.breaks), diff))
	}
	return wrong
}

// lacksHint says which error leaves a user alone who could act.
func lacksHint(cause, err error) (wrong []string) {
	for _, err := range []error{cause, err} {
		kind := llm.KindOf(err)
		if err == nil || kind == llm.KindCanceled || kind == llm.KindBadRequest || kind == llm.KindInvalid || kind == llm.KindFiltered {
			continue
		}
		if hint.Of(err) == "" && !errors.Is(err, os.ErrClosed) {
			wrong = append(wrong, fmt.Sprintf("no hint for %v", err))
		}
	}
	return wrong
}
