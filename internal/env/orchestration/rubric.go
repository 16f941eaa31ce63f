package orchestration

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// The rubric. Everything is computed from the host's own ledger, journal and truth; nothing from a value in the REPL.
//
//	detection = completeness x precision / (completeness + precision - completeness x precision)
//	completeness = .70 recall + .15 cross_file + .15 floor
//	reward = detection x (.45 + .30 coverage + .10 report + coverage x (.08 efficiency + .07 batching)) - penalties
//
// A defect is found when a proven finding matches it (same file, same category, within three lines) and a worker had its
// lines before it: what the policy claims about code that no worker read is a guess or a memory. Detection multiplies
// everything else: a rollout that found nothing earns nothing, whatever it dispatched, and one that claims everything has
// no precision. (The form is Jaccard's: found over found, missed and false together. F1 would give a thousand claims twice
// as much.) Efficiency counts only in proportion to coverage: doing nothing quickly is
// not efficient. Penalties are for prompts sent again and again, for an end before the reading was done, and for
// making the same error again; the reward never falls below 0.
//
// Since version 3 each place of a finding is a claim, so that one finding with all places claims no less than all findings
// do; what the policy dismissed is no claim. Whoever asks for a second opinion on every line has claimed every line: beyond
// an allowance each opinion counts as a wrong claim. What the root was shown is not what a worker read: a claim about it
// finds nothing.
const (
	weightRecall, weightCross, weightFloor = 0.70, 0.15, 0.15

	weightDetection, weightCoverage, weightReport = 0.45, 0.30, 0.10
	weightEfficiency, weightBatching              = 0.08, 0.07

	freeRepeats    = 3.0  // how often all lines may be sent without penalty: a reading, one with its neighbours, a second opinion
	repeatsRange   = 4.0  // passes beyond that for the full penalty
	penaltyRepeats = 0.10 // for dispatching the same lines again and again
	penaltyEarly   = 0.05 // for an end at coverage 0, by an answer or by the last turn; less with more coverage
	penaltyError   = 0.02 // for every cell that fails with the error of the cell before
	penaltyErrors  = 0.10 // at most, for errors
	freeOpinions   = 3    // second opinions for every planted defect, and for four at least, that are no claims (version 3)
	fewTurns       = 8    // turns that cost nothing
	manyTurns      = 20   // turns at which efficiency in turns is 0
	// allowance is how many tokens of the root, at what they cost relative to a worker's, the whole work may take for
	// every token of the codebase, beside one reading.
	rootPrice, allowance, overhead = 15.0, 3.0, 30_000.0
)

// severityWeight is what a defect of that severity counts in recall.
func severityWeight(severity string) float64 {
	switch severity {
	case "critical":
		return 4
	case "high":
		return 3
	case "medium":
		return 2
	}
	return 1
}

// rubric describes the parts, for `env list` and `env show`.
func rubric(rules Rules) []env.Weight {
	parts := []env.Weight{
		{Name: "detection", Weight: weightDetection, Formula: "Jaccard index of completeness (.70 recall + .15 cross_file_recall + .15 category_floor) and precision; multiplies the whole reward"},
		{Name: "coverage", Weight: weightCoverage, Formula: "share of source lines whose text reached a worker"},
		{Name: "report", Weight: weightReport, Formula: "share of proven defects that the answer cites as file:line (within 3 lines)"},
		{Name: "efficiency", Weight: weightEfficiency, Formula: "coverage x mean of turns (1 up to 8, 0 at 20) and cost (1 up to the allowance, then allowance/cost)"},
		{Name: "batching", Weight: weightBatching, Formula: "coverage x share of dispatches that were sent in batches"},
		{Name: "repeats_penalty", Weight: -penaltyRepeats, Formula: "lines sent beyond three times the codebase, full at seven times"},
		{Name: "early_penalty", Weight: -penaltyEarly, Formula: "1 - coverage, when the policy answered of its own accord or let its turns run out"},
		{Name: "error_penalty", Weight: -penaltyErrors, Formula: ".2 for every cell that failed with the error of the cell before, at most 1"},
	}
	if rules.Places {
		parts[0].Formula += "; each place of a finding is a claim, and each second opinion beyond three a defect a wrong one"
	}
	return parts
}

// metricNames lists what is recorded beside the parts.
func metricNames() []string {
	return []string{"recall", "precision", "cross_file_recall", "category_floor", "false_findings", "decoys_claimed", "dispatches",
		"dispatch_errors",
		"turns_with_dispatch", "cell_errors", "repeated_errors", "zero_delegation", "root_read", "passes", "num_turns", "dismissed", "opinions"}
}

// score computes parts, metrics and reward of a rollout.
// opinions is how many second opinions the policy asked for.
func score(t env.Task, r rlm.Result, rules Rules, opinions int) (reward float64, parts []env.Part, metrics map[string]float64) {
	truths := make([]finding.Truth, len(t.Defects))
	for i, d := range t.Defects {
		truths[i] = finding.Truth{File: d.File, Line: d.Line, EndLine: d.EndLine, Category: d.Category}
	}
	decoys := make([]finding.Truth, len(t.Decoys))
	for i, d := range t.Decoys {
		decoys[i] = finding.Truth{File: d.File, Line: d.Line, EndLine: d.EndLine, Category: d.Category}
	}
	claims, asked := r.Findings, 0
	if rules.Places {
		claims, asked = each(r.Findings), max(0, opinions-freeOpinions*max(len(t.Defects), 4))
	}
	m := finding.Match(truths, claims, finding.MatchOptions{Decoys: decoys})
	found := map[int]bool{}
	seen := dispatched(r.Coverage)
	for _, p := range m.Pairs {
		if d := t.Defects[p[0]]; holds(seen[d.File], d.Line, d.EndLine) {
			found[p[0]] = true
		}
	}
	totals := r.Coverage.Totals()
	covered := fraction(totals.LinesAnswered, totals.LinesTotal)

	recall := weightedRecall(t.Defects, found, func(env.Defect) bool { return true })
	cross := recall
	if hasCross(t.Defects) {
		cross = weightedRecall(t.Defects, found, func(d env.Defect) bool { return d.CrossFile })
	}
	floor := categoryFloor(t.Defects, found)
	precision := 0.0
	if n := len(m.Pairs) + len(m.False) + asked; n > 0 {
		precision = fraction(len(found), n)
	}
	detection := jaccard(weightRecall*recall+weightCross*cross+weightFloor*floor, precision)
	name := func(path string) string { return path }
	if rules.Suffixes {
		name = suffixes(t.Codebase.Paths())
	}
	report := cited(r.Analysis, t.Defects, found, name)
	batching := clip(fraction(r.Metrics.BatchedDispatches, r.Metrics.Dispatches)) // a dispatch that was stopped does not count
	efficiency := (turnEfficiency(r.Turns) + costEfficiency(t, r)) / 2
	passes := fraction(totals.LinesSent, totals.LinesTotal)
	repeats := clip((passes - freeRepeats) / repeatsRange)
	early := 0.0
	if r.StopReason == trace.StopAnswer || r.StopReason == trace.StopTurns { // else idling to the end is cheaper than handing in
		early = 1 - covered
	}
	errors := min(1, float64(r.Metrics.RepeatedErrors)*penaltyError/penaltyErrors)

	parts = []env.Part{
		{Name: "detection", Value: detection, Weight: weightDetection},
		{Name: "coverage", Value: covered, Weight: weightCoverage},
		{Name: "report", Value: report, Weight: weightReport},
		{Name: "efficiency", Value: covered * efficiency, Weight: weightEfficiency},
		{Name: "batching", Value: covered * batching, Weight: weightBatching},
		{Name: "repeats_penalty", Value: repeats, Weight: -penaltyRepeats},
		{Name: "early_penalty", Value: early, Weight: -penaltyEarly},
		{Name: "error_penalty", Value: errors, Weight: -penaltyErrors},
	}
	share, penalties := weightDetection, 0.0
	for _, p := range parts[1:] {
		if p.Weight > 0 {
			share += p.Weight * p.Value
		} else {
			penalties -= p.Weight * p.Value
		}
	}
	reward = clip(detection*share - penalties)

	metrics = map[string]float64{
		"recall": recall, "precision": precision, "cross_file_recall": cross, "category_floor": floor,
		"false_findings": float64(len(m.False)), "decoys_claimed": float64(len(m.Decoys)),
		"dispatches": float64(r.Metrics.Dispatches), "dispatch_errors": float64(r.Metrics.DispatchErrors),
		"turns_with_dispatch": float64(r.Metrics.TurnsWithDispatch), "cell_errors": float64(r.Metrics.CellErrors),
		"repeated_errors": float64(r.Metrics.RepeatedErrors), "zero_delegation": indicator(r.Metrics.Dispatches == r.Metrics.DispatchErrors),
		"root_read": fraction(totals.LinesRead, totals.LinesTotal), "passes": passes, "num_turns": float64(r.Turns),
		"dismissed": float64(len(r.Dismissed)), "opinions": float64(opinions),
	}
	for _, p := range parts {
		metrics[p.Name] = p.Value
	}
	return reward, parts, metrics
}

// each gives a claim for each place of the findings.
func each(fs []finding.Finding) []finding.Finding {
	var all []finding.Finding
	for _, f := range fs {
		if len(f.Places) == 0 {
			all = append(all, f)
		}
		for _, p := range f.Places {
			one := f
			one.File, one.Line, one.EndLine = p.File, p.Line, p.EndLine
			all = append(all, one)
		}
	}
	return all
}

// dispatched gives the lines of each file that reached a worker.
func dispatched(l *coverage.Ledger) map[string][][2]int {
	lines := map[string][][2]int{}
	for _, f := range l.Files() {
		lines[f.Path] = f.DispatchedRanges
	}
	return lines
}

// weightedRecall is the severity-weighted share of the wanted defects that were found; 0 when none is wanted.
func weightedRecall(defects []env.Defect, found map[int]bool, wanted func(env.Defect) bool) float64 {
	all, got := 0.0, 0.0
	for i, d := range defects {
		if !wanted(d) {
			continue
		}
		w := severityWeight(d.Severity)
		all += w
		if found[i] {
			got += w
		}
	}
	if all == 0 {
		return 0
	}
	return got / all
}

func hasCross(defects []env.Defect) bool {
	return slices.ContainsFunc(defects, func(d env.Defect) bool { return d.CrossFile })
}

// categoryFloor is the share of the categories planted of which at least one defect was found: finding only the easy
// kind does not do.
func categoryFloor(defects []env.Defect, found map[int]bool) float64 {
	all, got := map[string]bool{}, map[string]bool{}
	for i, d := range defects {
		all[d.Category] = true
		if found[i] {
			got[d.Category] = true
		}
	}
	return fraction(len(got), len(all))
}

// turnEfficiency is 1 up to fewTurns and falls to 0 at manyTurns.
func turnEfficiency(turns int) float64 {
	return clip(float64(manyTurns-turns) / (manyTurns - fewTurns))
}

// costEfficiency compares what the rollout's tokens would cost with an allowance, both in units of one worker token:
// a root token costs fifteen of them (the journal: $3 against $0.20 a million), so this is efficiency in tokens and in
// dollars at once, and does not depend on today's prices. Tokens are estimated from characters where the
// model reports none.
func costEfficiency(t env.Task, r rlm.Result) float64 {
	tokens := float64(t.Codebase.Stats().Chars) / 4
	spent := float64(r.Worker.Input+r.Worker.Output) + rootPrice*float64(r.Root.Output) + rootPrice/10*float64(r.Root.Input-r.Root.CachedInput)
	allowed := allowance*tokens + overhead
	if spent <= allowed {
		return 1
	}
	return allowed / spent
}

// citation finds "path:line" in a report.
var citation = pattern.New(`([\w./+@-]+\.\w+)\W{0,3}:(\d{1,7})\b`)

// suffixes gives the path that a citation means: itself, or the one path that ends with it.
func suffixes(paths []string) func(string) string {
	full := map[string]string{} // "" where several end so
	for _, p := range paths {
		for end := p; ; {
			i := strings.IndexByte(end, '/')
			if i < 0 {
				break
			}
			end = end[i+1:]
			if _, known := full[end]; known {
				full[end] = ""
			} else {
				full[end] = p
			}
		}
	}
	for _, p := range paths {
		full[p] = p
	}
	return func(cited string) string {
		cited = strings.TrimPrefix(cited, "./")
		if p := full[cited]; p != "" {
			return p
		}
		return cited
	}
}

// cited is the share of the found defects that the answer names by file and line, within the matching's three lines. name
// gives the path that a citation means. A
// report that cites far more places than there are is not a report: beyond five for every defect the share shrinks.
func cited(answer string, defects []env.Defect, found map[int]bool, name func(string) string) float64 {
	if len(found) == 0 {
		return 0
	}
	places := map[string][]int{}
	n := 0
	for _, m := range citation.FindAllStringSubmatch(answer, -1) {
		line, err := strconv.Atoi(m[2])
		if err != nil {
			continue
		}
		path := name(m[1])
		key := path + ":" + fmt.Sprint(line)
		if places[key] == nil {
			places[key] = []int{line}
			places[path] = append(places[path], line)
			n++
		}
	}
	got := 0
	for i := range found {
		d := defects[i]
		for _, line := range places[strings.TrimPrefix(d.File, "./")] {
			if line >= d.Line-3 && line <= d.EndLine+3 {
				got++
				break
			}
		}
	}
	share := fraction(got, len(found))
	if most := 5 * max(len(defects), 4); n > most {
		share *= float64(most) / float64(n)
	}
	return share
}

// jaccard joins a recall and a precision as the Jaccard index does: TP/(TP+FN+FP) = rp/(r+p-rp).
func jaccard(recall, precision float64) float64 {
	if recall*precision == 0 {
		return 0
	}
	return recall * precision / (recall + precision - recall*precision)
}

func fraction(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return min(1e9, float64(a)/float64(b))
}

func clip(x float64) float64 { return max(0, min(1, x)) }

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
