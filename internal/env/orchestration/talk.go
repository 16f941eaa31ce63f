package orchestration

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// What the simulated worker says when it does not review. As in sim.go the numbers model experience: a second look that is
// pointed at one place errs less than a reading, and more in larger systems.
const (
	simRightEasy   = 0.98 // chance that a verdict is right, in easy tasks
	simRightMedium = 0.97
	simRightHard   = 0.96

	simSurest      = 0.95 // the most confidence of a true claim
	simSpread      = 0.35 // how far below that it may be
	simMistaken    = 0.80 // the most confidence of a claim about a decoy
	simMistakenBy  = 0.25 // how far below that it may be
	simMistakeHigh = 0.3  // share of claims about decoys that are called high, and not medium
)

// right is the chance that a verdict is right.
func (s *sim) right() float64 {
	switch s.task.Difficulty {
	case env.Easy:
		return simRightEasy
	case env.Hard:
		return simRightHard
	}
	return simRightMedium
}

// mistake is the claim of a worker that a decoy has fooled. It reads as a true one does: with what sets it off and what
// follows.
func (s *sim) mistake(d env.Decoy) claimed {
	as := env.Defect{File: d.File, Line: d.Line, EndLine: d.EndLine, Category: d.Category, Severity: "medium",
		Description: "This looks like " + d.Category + "."}
	if !s.rules.Plausible {
		return s.quote(as, 0.5)
	}
	if s.luck("", "grave", d.File, d.Line) < simMistakeHigh {
		as.Severity = "high"
	}
	c := s.quote(as, simMistaken-simMistakenBy*s.luck("", "sure", d.File, d.Line))
	text := mistakes[d.Category]
	if text.title == "" {
		text = mistakes["logic"]
	}
	c.Title = text.title + inWords(c.Evidence)
	c.Explanation = fmt.Sprintf("`%s` %s", c.Evidence, text.story)
	return c
}

// inWords names the place of a claim by what stands there, for a title.
func inWords(evidence string) string {
	if names := identifier.FindAllString(evidence, -1); len(names) > 0 {
		return " at " + names[len(names)-1]
	}
	return ""
}

// mistakes are the stories that a fooled reader tells, by category.
var mistakes = map[string]struct{ title, story string }{
	"api-misuse": {"Return value of the call is dropped",
		"gives its result back and does not change its argument: where the call fails nobody notices, and " +
			"later steps use the old value."},
	"comparison": {"Comparison takes the wrong values",
		"compares values where identity or a bound was meant: equal objects that are not the same pass, and " +
			"the branch runs for values that it should refuse."},
	"concurrency": {"Shared state changes without its lock",
		"is reached by two threads at once under load: one of two updates is lost, and readers see half of " +
			"the other."},
	"error-handling": {"Failure is swallowed",
		"lets an error pass as success: when the operation fails, callers continue with an empty result and " +
			"nothing is logged."},
	"injection": {"Caller's text reaches the interpreter",
		"puts text together that an interpreter runs: with a quote or a separator in the value an attacker " +
			"adds commands of their own."},
	"logic": {"Condition is turned around",
		"takes the branch for the opposite case: for ordinary input the result is the one meant for the " +
			"exception."},
	"off-by-one": {"Bound leaves out or exceeds the last element",
		"counts one step too many or too few: with exactly as many elements as the bound, the last one is " +
			"skipped or the access fails."},
	"resource-leak": {"Handle stays open on an early return",
		"is not closed when the code between throws: under load the process runs out of descriptors."},
	"secrets": {"Secret is written into the source",
		"holds a credential that everybody with the repository can read and use until it is rotated."},
	"weak-crypto": {"Weak algorithm guards the value",
		"can be predicted or collided with little effort: an attacker forges a value that passes the check."},
}

// answer is what the worker says to a question: what it notices in the code shown, as far as the question's words concern
// it, in its own words. It sees no more than a review of the same prompt would.
func (s *sim) answer(prompt string) string {
	names, defects, decoys := s.notices(prompt)
	if len(names) == 0 {
		return "The prompt shows no code of this codebase, so I cannot say."
	}
	asked := topics(s.without(prompt, names))
	var said []string
	for _, d := range defects {
		c := s.claimOf(prompt, d)
		if concerns(asked, d.File+" "+d.Category+" "+d.Description+" "+c.Evidence) {
			said = append(said, fmt.Sprintf("%s:%d: %s", c.File, c.Line, d.Description))
		}
	}
	for _, d := range s.task.Decoys {
		if !slices.Contains(names, d.File) {
			continue
		}
		c := s.mistake(d)
		switch fooled := slices.Contains(decoys, d); {
		case !concerns(asked, d.File+" "+d.Category+" "+c.Explanation):
		case fooled:
			said = append(said, fmt.Sprintf("%s:%d: %s", c.File, c.Line, c.Explanation))
		case holds(s.held(prompt)[d.File], d.Line, d.EndLine) && d.Why != "":
			said = append(said, fmt.Sprintf("%s:%d is right: %s", d.File, d.Line, d.Why))
		}
	}
	if len(said) == 0 {
		return "No: the code shown (" + strings.Join(names, ", ") + ") has nothing of what the question is about."
	}
	return strings.Join(said, "\n")
}

func (s *sim) held(prompt string) map[string][][2]int {
	lines := map[string][][2]int{}
	for _, f := range s.ledger.Held(prompt) {
		lines[f.Path] = f.DispatchedRanges
	}
	return lines
}

// margin is the line number that packed code stands behind.
var margin = pattern.New(`^\s*\d+\| ?`)

// without is a prompt without the lines that stand in the files that it shows, and without the marks of those.
func (s *sim) without(prompt string, names []string) string {
	code := map[string]bool{}
	for _, name := range names {
		text, _ := s.task.Codebase.Text(name)
		for line := range strings.Lines(text) {
			code[strings.TrimSpace(line)] = true
		}
	}
	var rest []string
	for line := range strings.Lines(prompt) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "===") && !code[line] && !code[strings.TrimSpace(margin.ReplaceAllString(line, ""))] {
			rest = append(rest, line)
		}
	}
	return strings.Join(rest, "\n")
}

// stem is how many letters of a word tell what it is about: "separator" concerns "separators".
const stem = 5

// topics are the beginnings of the words of a text that are long enough to mean something.
func topics(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range identifier.FindAllString(strings.NewReplacer("_", " ", "-", " ").Replace(text), -1) {
		if w = strings.ToLower(w); len(w) >= stem && !idle[w] {
			set[w[:stem]] = true
		}
	}
	return set
}

// idle are long words that questions are full of.
var idle = func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`about above after answer before below could decides every where which while whose there these those
		their would should shown shows what's question please review lines files codebase function functions method methods always never
		really still something anything nothing whether`) {
		set[w] = true
	}
	return set
}()

// concerns says whether a text is about one of the topics.
func concerns(asked map[string]bool, text string) bool {
	for w := range topics(text) {
		if asked[w] {
			return true
		}
	}
	return false
}

// verdict is the worker's reply to a request for a second opinion.
type verdict struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Missing  string `json:"missing"`
	Quote    string `json:"quote"`
	Reason   string `json:"reason"`
	Severity string `json:"severity"`
	Verdict  string `json:"verdict"`
}

var (
	accusedFile = pattern.New(`(?m)^file: (.+), lines (\d{1,7}) to (\d{1,7})$`)
	accusedKind = pattern.New(`(?m)^kind: (.+)$`)
)

// judge says whether the finding in a prompt holds. Its luck is the place's, not the prompt's: asking again gets the same
// verdict. It says nothing of code that it is not shown.
func (s *sim) judge(prompt string) verdict {
	at := accusedFile.FindStringSubmatch(prompt)
	if at == nil {
		return verdict{Verdict: finding.Unsure, Missing: "the finding's place", Reason: "The request names no place."}
	}
	file := at[1]
	line, _ := strconv.Atoi(at[2]) // they are digits
	if !holds(s.held(prompt)[file], line, line) {
		return verdict{Verdict: finding.Unsure, Missing: file, Reason: "The code of the finding is not shown."}
	}
	kind := ""
	if k := accusedKind.FindStringSubmatch(prompt); k != nil {
		kind = k[1]
	}
	of := finding.Finding{File: file, Line: line, EndLine: line}
	holdsTrue, why := false, "The code shown does not do what the finding says."
	for _, d := range s.task.Defects {
		of.Category = d.Category
		if near(of, d.File, d.Line, d.EndLine) && ofKind(kind, d.Category) {
			holdsTrue, why = true, d.Description
		}
	}
	for _, d := range s.task.Decoys {
		if near(of, d.File, d.Line, d.EndLine) && d.Why != "" && !holdsTrue {
			why = d.Why
		}
	}
	if s.luck("", "verdict "+kind, file, line) >= s.right() {
		holdsTrue, why = !holdsTrue, "So the code reads at first sight."
	}
	v := verdict{File: file, Verdict: finding.Refuted, Reason: why}
	if holdsTrue {
		v.Verdict = finding.Stands
	}
	text, _ := s.task.Codebase.Text(file)
	total := strings.Count(text, "\n") + 1
	v.Line = max(1, line-1) // more than what the finding quotes
	v.Quote, _ = finding.Quote(text, v.Line, min(total, line+2))
	return v
}

// near says whether a finding stands where something else does.
func near(f finding.Finding, file string, line, end int) bool {
	const off = 3
	return f.File == file && f.Line >= line-off && f.Line <= max(line, end)+off
}

// ofKind says whether one of the words of a finding's kind is the category, or of its family.
func ofKind(kind, category string) bool {
	return kind == "" || slices.ContainsFunc(strings.Fields(kind), func(w string) bool { return finding.SameFamily(w, category) })
}
