package code

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/doc"
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
	Controls    *doc.Controls        `json:"controls"`
	Verdicts    []Named              `json:"verdicts"`
	Errors      []runfile.ErrorClass `json:"error_classes"`
	Extraction  []Named              `json:"extraction"`
	Signs       []Named              `json:"signs"`
	Diagnosis   []string             `json:"diagnosis"` // what looks wrong with the run rather than with the model
	Caveats     []string             `json:"caveats"`   // what the score does not say
	Missing     []string             `json:"missing"`   // tasks without a sample
	Generation  *Generation          `json:"generation"`
	Settings    []doc.Fact           `json:"settings"`
	Tasks       CodeTasks            `json:"tasks"`
	TasksTotal  int                  `json:"tasks_total"`
	SamplesKept int                  `json:"samples_kept"` // rows of samples.jsonl
	Problem     string               `json:"problem,omitempty"`
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

// Generation is how samples were made and what that took.
type Generation struct {
	Wanted       int      `json:"wanted"`
	Made         int      `json:"made"`
	Truncated    int      `json:"truncated"`
	Empty        int      `json:"empty"`
	Lost         int      `json:"lost"`
	InputTokens  int64    `json:"input_tokens"`
	OutputTokens int64    `json:"output_tokens"`
	CostUSD      *float64 `json:"cost_usd"`
	ModelSeconds float64  `json:"model_seconds"`
}

// summary is summary.json: a verification's has no generation.
type summary struct {
	runfile.CodeSummary
	Generation *runfile.Generation `json:"generation"`
	Official   *bool               `json:"dataset_official"` // nil: not known

	// What is shown nowhere may have any shape.
	Seconds  json.RawMessage `json:"seconds"`
	Rate     json.RawMessage `json:"programs_per_second"`
	Complete json.RawMessage `json:"complete"`
	Steps    json.RawMessage `json:"extraction_steps"`
	Rescue   json.RawMessage `json:"rescue"`
	Slowest  json.RawMessage `json:"slowest"`
	PerTask  json.RawMessage `json:"per_task"`
	Hash     json.RawMessage `json:"dataset_sha256"`
}

// run answers "codeeval".
func (r Run) run() (any, error) {
	index, err := r.codeIndex()
	if err != nil {
		return nil, err
	}
	run := CodeRun{
		Command: r.Manifest.Command, PassAtK: []PassAtK{}, Verdicts: []Named{}, Errors: []runfile.ErrorClass{}, Extraction: []Named{},
		Signs: []Named{}, Diagnosis: []string{}, Caveats: []string{}, Missing: []string{}, Settings: doc.Settings(r.Manifest.Options),
		Tasks: index.columns(), TasksTotal: len(index.ids), Total: index.judged, Passed: index.passed, SamplesKept: index.samples,
		Problem: index.problem,
	}
	var asked struct{ Dataset, Model, Samples, Split string }
	r.Asked(&asked)
	run.Dataset, run.Source, run.Split = asked.Dataset, cmp.Or(asked.Model, asked.Samples), asked.Split
	var sum summary
	if !r.Has(summaryName) {
		run.Verdicts, run.Withheld = tallied(index.verdicts), "a score is given when every sample is judged"
		return run, nil
	}
	if err := r.ReadJSON(summaryName, &sum); err != nil {
		run.Verdicts, run.Withheld, run.Problem = tallied(index.verdicts), "its summary cannot be read", doc.Plain(err)
		return run, nil
	}
	sum.fill(&run)
	if index.judged+index.unknown() > sum.Total+sum.Verdicts["infra_error"] { // the run was resumed since then
		run.Verdicts, run.Total, run.Passed = tallied(index.verdicts), index.judged, index.passed
		run.PassAtK, run.CI95, run.Withheld = []PassAtK{}, nil, "a score is given when every sample is judged"
	}
	return run, nil
}

// fill puts the summary into the document.
func (s *summary) fill(run *CodeRun) {
	run.Dataset, run.Source = cmp.Or(s.Dataset, run.Dataset), cmp.Or(run.Source, s.Samples)
	run.Split, run.Total, run.Passed = cmp.Or(s.Split, run.Split), s.Total, s.Passed
	run.CI95, run.CIMethod, run.Withheld = s.CI95, s.CIMethod, s.Withheld
	run.Controls, run.Verdicts = doc.ControlsOf(s.Controls), tallied(s.Verdicts)
	run.Extraction, run.Signs, run.Diagnosis, run.Missing = tallied(s.Extraction), tallied(s.Signs), doc.Some(s.Diagnosis), doc.Some(s.Missing)
	run.TasksTotal = max(run.TasksTotal, s.TasksTotal)
	run.Errors = doc.Some(s.ErrorClasses)
	for k, v := range s.PassAtK {
		if n, err := strconv.Atoi(k); err == nil && len(run.PassAtK) < 100 {
			run.PassAtK = append(run.PassAtK, PassAtK{n, v})
		}
	}
	slices.SortFunc(run.PassAtK, func(a, b PassAtK) int { return cmp.Compare(a.K, b.K) })
	if run.Controls == nil && len(run.PassAtK) > 0 { // no control, no score
		run.PassAtK, run.CI95, run.Withheld = []PassAtK{}, nil, "the summary holds no controls: nothing shows that the harness was right"
	}
	if g := s.Generation; g != nil {
		run.Generation = &Generation{g.Wanted, g.Made, g.Truncated, g.Empty, g.Lost, g.Usage.InputTokens, g.Usage.OutputTokens,
			dollars(g.Cost), g.ModelSeconds}
	}
	s.caveats(run)
}

// caveats says what the score does not.
func (s *summary) caveats(run *CodeRun) {
	say := func(when bool, format string, a ...any) {
		if when {
			run.Caveats = append(run.Caveats, fmt.Sprintf(format, a...))
		}
	}
	say(s.Partial, "%d of %d tasks have a sample: the score is over those only", s.Tasks, s.TasksTotal)
	say(s.TasksTotal > 0 && s.DatasetTasks > s.TasksTotal,
		"%d of the dataset's %d tasks were chosen: the score is no published benchmark's",
		s.TasksTotal, s.DatasetTasks)
	say(s.Official != nil && !*s.Official, "the dataset is not the file that its authors publish: its checksum differs")
	say(s.Verdicts["infra_error"] > 0,
		"%d samples have no verdict: the sandbox failed on them. They count neither as passed nor as failed", s.Verdicts["infra_error"])
	say(s.Dropped > 0, "%d samples were dropped: the same task and number stood there twice", s.Dropped)
	say(s.Repeats > 0, "%d samples say the same as another one of their task", s.Repeats)
	say(s.Aside > 0, "%d samples of tasks that were not chosen were left aside", s.Aside)
	say(len(s.Flaky) > 0, "%d programs or more did not do the same with every random seed: they count as not passed", len(s.Flaky))
	if g := run.Generation; g != nil {
		say(g.Truncated > 0, "%d replies were cut off by the limit of tokens", g.Truncated)
		say(g.Made < g.Wanted, "%d of %d samples were made", g.Made, g.Wanted)
	}
}

// tallied lists counts, the most frequent first.
func tallied(counts map[string]int) []Named {
	out := []Named{}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if len(out) < 2000 {
			out = append(out, Named{doc.Clip(name, 200), counts[name]})
		}
	}
	slices.SortStableFunc(out, func(a, b Named) int { return cmp.Compare(b.Count, a.Count) })
	return out
}

func dollars(cost *money.USD) *float64 {
	if cost == nil {
		return nil
	}
	return new(cost.Float64())
}
