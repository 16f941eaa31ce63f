package view

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// CodeRun is what a code eval or a verification found: the resource "codeeval".
type CodeRun struct {
	Command string `json:"command"`
	Dataset string `json:"dataset"`
	Split   string `json:"split,omitempty"`
	// Source is the model that was asked, or where the samples are from.
	Source string `json:"source"`
	// Total counts the samples with a verdict, Passed those that passed.
	Total  int `json:"total"`
	Passed int `json:"passed"`
	// PassAtK is empty where there is no score; Withheld then says why.
	PassAtK  []PassAtK   `json:"pass_at_k"`
	CI95     *[2]float64 `json:"ci95"`
	CIMethod string      `json:"ci_method"`
	Withheld string      `json:"withheld"`
	// Controls are null until the run has ended.
	Controls    *Controls    `json:"controls"`
	Verdicts    []Named      `json:"verdicts"`
	Errors      []ErrorClass `json:"error_classes"`
	Extraction  []Named      `json:"extraction"`
	Signs       []Named      `json:"signs"`
	Diagnosis   []string     `json:"diagnosis"` // what looks wrong with the run rather than with the model
	Caveats     []string     `json:"caveats"`   // what the score does not say
	Missing     []string     `json:"missing"`   // tasks without a sample
	Generation  *Generation  `json:"generation"`
	Settings    []Fact       `json:"settings"`
	Tasks       CodeTasks    `json:"tasks"`
	TasksTotal  int          `json:"tasks_total"`
	SamplesKept int          `json:"samples_kept"` // rows of samples.jsonl
	Problem     string       `json:"problem,omitempty"`
}

// PassAtK is the unbiased estimate for one k.
type PassAtK struct {
	K     int     `json:"k"`
	Value float64 `json:"value"`
}

// Named is how often something was counted.
type Named struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// ErrorClass is a kind of exception that decided verdicts.
type ErrorClass struct {
	Name    string `json:"name"`
	Count   int    `json:"count"`
	Tasks   int    `json:"tasks"`
	Message string `json:"message"` // its most frequent text,
	Same    int    `json:"same"`    // which so many share
}

// Controls are what had to come out as it must before any score was given.
type Controls struct {
	CanonicalPassed  int      `json:"canonical_passed"`
	CanonicalTotal   int      `json:"canonical_total"`
	ExpectedFailures []string `json:"expected_failures"`
	NullPassed       int      `json:"null_passed"`
	NullTotal        int      `json:"null_total"`
	// Unexpected are those that did not come out as they must, in words.
	Unexpected []string `json:"unexpected"`
}

// Generation is how samples were made and what that took.
type Generation struct {
	Wanted       int      `json:"wanted"`
	Made         int      `json:"made"`
	Truncated    int      `json:"truncated"`
	Empty        int      `json:"empty"`
	Lost         int      `json:"lost"`
	InputTokens  int      `json:"input_tokens"`
	OutputTokens int      `json:"output_tokens"`
	CostUSD      *float64 `json:"cost_usd"`
	ModelSeconds float64  `json:"model_seconds"`
}

// controlsFile is the controls as summary.json has them, of code evals and of pairs.
type controlsFile struct {
	Canonical struct {
		Passed, Total    int
		ExpectedFailures []string `json:"expected_failures"`
		Unexpected       []surprise
	}
	Null struct {
		Passed, Total int
		Unexpected    []surprise
	}
}

type surprise struct {
	TaskID                  string `json:"task_id"`
	Program, Verdict, Error string
}

// document gives nil for controls that were never run.
func (c *controlsFile) document() *Controls {
	if c == nil || c.Null.Total == 0 {
		return nil
	}
	out := &Controls{c.Canonical.Passed, c.Canonical.Total, some(c.Canonical.ExpectedFailures), c.Null.Passed, c.Null.Total, []string{}}
	for _, s := range slices.Concat(c.Canonical.Unexpected, c.Null.Unexpected) {
		if len(out.Unexpected) == maxNames {
			break
		}
		text := fmt.Sprintf("%s: the %s program: %s", s.TaskID, s.Program, s.Verdict)
		if s.Error != "" {
			text += " (" + s.Error + ")"
		}
		out.Unexpected = append(out.Unexpected, termtext.CutWith(text, 500, "…"))
	}
	return out
}

// maxNames bounds lists of names and of remarks.
const maxNames = 2000

// some is a list that is never null, cut at maxNames.
func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list[:min(len(list), maxNames)]
}

// codeSummary is summary.json of a code eval or a verification.
type codeSummary struct {
	Dataset           string
	Total, Passed     int
	PassAtK           map[string]float64 `json:"pass_at_k"`
	CI95              *[2]float64
	CIMethod          string `json:"ci_method"`
	Withheld          string
	Controls          *controlsFile
	Verdicts          map[string]int
	Partial, Complete bool
	Tasks             int
	TasksTotal        int `json:"tasks_total"`
	DatasetTasks      int `json:"dataset_tasks"`
	Missing           []string
	Diagnosis         []string
	ErrorClasses      []ErrorClass `json:"error_classes"`
	Extraction, Signs map[string]int
	Flaky             []json.RawMessage
	Samples           string
	Dropped           int `json:"duplicates_dropped"`
	Repeats, Aside    int
	Official          *bool `json:"dataset_official"`
	Split             string
	Generation        *struct {
		Wanted, Made, Truncated, Empty, Lost int
		Usage                                struct {
			Input  int `json:"input_tokens"`
			Output int `json:"output_tokens"`
		}
		Cost    *float64 `json:"cost_usd"`
		Seconds float64  `json:"model_seconds"`
	}
}

// codeRun answers "codeeval".
func (r *Run) codeRun() (any, error) {
	index, err := r.codeIndex()
	if err != nil {
		return nil, err
	}
	doc := CodeRun{
		Command: r.manifest.Command, PassAtK: []PassAtK{}, Verdicts: []Named{}, Errors: []ErrorClass{}, Extraction: []Named{}, Signs: []Named{},
		Diagnosis: []string{}, Caveats: []string{}, Missing: []string{}, Settings: settings(r.manifest.Options), Tasks: index.columns(), TasksTotal: len(index.ids),
		Total: index.judged, Passed: index.passed, SamplesKept: index.samples, Problem: index.problem,
	}
	var asked struct{ Dataset, Model, Samples, Split string }
	options(r.manifest.Options, &asked)
	doc.Dataset, doc.Source, doc.Split = asked.Dataset, cmp.Or(asked.Model, asked.Samples), asked.Split
	var sum codeSummary
	if !r.has(summaryName) {
		doc.Verdicts, doc.Withheld = tallied(index.verdicts), "a score is given when every sample is judged"
		return doc, nil
	}
	if err := r.readJSON(summaryName, &sum); err != nil {
		doc.Verdicts, doc.Withheld, doc.Problem = tallied(index.verdicts), "its summary cannot be read", plain(err)
		return doc, nil
	}
	sum.fill(&doc)
	if index.judged+index.unknown() > sum.Total+sum.Verdicts["infra_error"] { // the run goes on since
		doc.Verdicts, doc.Total, doc.Passed = tallied(index.verdicts), index.judged, index.passed
		doc.PassAtK, doc.CI95, doc.Withheld = []PassAtK{}, nil, "a score is given when every sample is judged"
	}
	return doc, nil
}

// fill puts the summary into the document.
func (s *codeSummary) fill(doc *CodeRun) {
	doc.Dataset, doc.Source = cmp.Or(s.Dataset, doc.Dataset), cmp.Or(doc.Source, s.Samples)
	doc.Split, doc.Total, doc.Passed = cmp.Or(s.Split, doc.Split), s.Total, s.Passed
	doc.CI95, doc.CIMethod, doc.Withheld = s.CI95, s.CIMethod, s.Withheld
	doc.Controls, doc.Verdicts = s.Controls.document(), tallied(s.Verdicts)
	doc.Extraction, doc.Signs, doc.Diagnosis, doc.Missing = tallied(s.Extraction), tallied(s.Signs), some(s.Diagnosis), some(s.Missing)
	doc.TasksTotal = max(doc.TasksTotal, s.TasksTotal)
	if s.ErrorClasses != nil {
		doc.Errors = s.ErrorClasses[:min(len(s.ErrorClasses), maxNames)]
	}
	for k, v := range s.PassAtK {
		if n, err := strconv.Atoi(k); err == nil && len(doc.PassAtK) < 100 {
			doc.PassAtK = append(doc.PassAtK, PassAtK{n, v})
		}
	}
	slices.SortFunc(doc.PassAtK, func(a, b PassAtK) int { return cmp.Compare(a.K, b.K) })
	if doc.Controls == nil && len(doc.PassAtK) > 0 { // no control, no score
		doc.PassAtK, doc.CI95, doc.Withheld = []PassAtK{}, nil, "the summary holds no controls: nothing shows that the harness was right"
	}
	if g := s.Generation; g != nil {
		doc.Generation = &Generation{g.Wanted, g.Made, g.Truncated, g.Empty, g.Lost, g.Usage.Input, g.Usage.Output, g.Cost, g.Seconds}
	}
	s.caveats(doc)
}

// caveats says what the score does not.
func (s *codeSummary) caveats(doc *CodeRun) {
	say := func(when bool, format string, a ...any) {
		if when {
			doc.Caveats = append(doc.Caveats, fmt.Sprintf(format, a...))
		}
	}
	say(s.Partial, "%d of %d tasks have a sample: the score is over those only", s.Tasks, s.TasksTotal)
	say(s.TasksTotal > 0 && s.DatasetTasks > s.TasksTotal, "%d of the dataset's %d tasks were chosen: the score is no published benchmark's", s.TasksTotal, s.DatasetTasks)
	say(s.Official != nil && !*s.Official, "the dataset is not the file that its authors publish: its checksum differs")
	say(s.Verdicts["infra_error"] > 0, "%d samples have no verdict: the sandbox failed on them. They count neither as passed nor as failed", s.Verdicts["infra_error"])
	say(s.Dropped > 0, "%d samples were dropped: the same task and number stood there twice", s.Dropped)
	say(s.Repeats > 0, "%d samples say the same as another one of their task", s.Repeats)
	say(s.Aside > 0, "%d samples of tasks that were not chosen were left aside", s.Aside)
	say(len(s.Flaky) > 0, "%d programs or more did not do the same with every random seed: they count as not passed", len(s.Flaky))
	if g := doc.Generation; g != nil {
		say(g.Truncated > 0, "%d replies were cut off by the limit of tokens", g.Truncated)
		say(g.Made < g.Wanted, "%d of %d samples were made", g.Made, g.Wanted)
	}
}

// tallied lists counts, the most frequent first.
func tallied(counts map[string]int) []Named {
	out := []Named{}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if len(out) < maxNames {
			out = append(out, Named{termtext.CutWith(name, 200, "…"), counts[name]})
		}
	}
	slices.SortStableFunc(out, func(a, b Named) int { return cmp.Compare(b.Count, a.Count) })
	return out
}

// settings lists what a manifest's options say, in the order of their names: plain values as they are, others as JSON.
func settings(raw json.RawMessage) []Fact {
	var all map[string]json.RawMessage
	options(raw, &all)
	out := []Fact{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value := string(all[name])
		var text string
		if json.Unmarshal(all[name], &text) == nil {
			value = text
		}
		if len(out) < 100 {
			out = append(out, Fact{termtext.CutWith(name, 100, "…"), termtext.CutWith(value, 500, "…")})
		}
	}
	return out
}
