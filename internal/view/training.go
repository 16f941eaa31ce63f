package view

import (
	"encoding/json"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// TrainingDoc is the document "training": what a training came to, or is doing. Its steps are documents of their own:
// "training/FROM" are those of the run itself, "training/STAGE/FROM" those of a stage.
type TrainingDoc struct {
	// Method is sft, grpo or dpo, "" where nothing says so yet.
	Method  string           `json:"method"`
	Asked   []Fact           `json:"asked"`   // its options
	Stages  []TrainingStage  `json:"stages"`  // with steps: the run itself is "", and comes last
	Summary *TrainingSummary `json:"summary"` // null until it is done
	// Planned is the number of steps that were asked for, 0 where it is not known.
	Planned int    `json:"planned"`
	Problem string `json:"problem,omitempty"`
}

// TrainingStage is a part of a training that has steps: imitation in front of the reward, a size of a ladder.
type TrainingStage struct {
	Name   string `json:"name"`
	Method string `json:"method"`
	Steps  int    `json:"steps"`
}

// TrainingSummary is summary.json.
type TrainingSummary struct {
	Run         string              `json:"run"`
	Engine      string              `json:"engine"`
	Method      string              `json:"method"`
	Status      string              `json:"status"`
	End         string              `json:"end,omitempty"`
	Steps       int                 `json:"steps"`
	BestStep    int                 `json:"best_step"`
	Seed        int64               `json:"seed"`
	Size        string              `json:"size,omitempty"`
	Parameters  int                 `json:"parameters"`
	Trained     int                 `json:"trained_parameters"`
	Environment string              `json:"environment"`
	Measured    string              `json:"measured_in"`
	Split       string              `json:"split,omitempty"`
	Temperature TrainingTemperature `json:"temperature"`
	Before      *EvalSummary        `json:"before"`
	After       *EvalSummary        `json:"after"`
	BeforeCells *TrainingCells      `json:"before_cells"`
	AfterCells  *TrainingCells      `json:"after_cells"`
	Test        *TrainingTest       `json:"test"`
	Caveats     []string            `json:"caveats"`
	Progression []TrainingPoint     `json:"progression"`
	Adapter     string              `json:"adapter"`
	Lessons     *TrainingLesson     `json:"sft"`
	Seconds     float64             `json:"seconds"`
	Ladder      []TrainingRung      `json:"ladder"`
	Gate        *TrainingGate       `json:"gate"`
	Settings    string              `json:"settings,omitempty"`
}

// TrainingTemperature is what a policy was sampled at.
type TrainingTemperature struct {
	Training float64 `json:"training,omitempty"`
	Between  float64 `json:"between,omitempty"`
	Measured float64 `json:"measured,omitempty"`
}

// TrainingCells counts what a policy wrote.
type TrainingCells struct {
	Cells  int `json:"cells"`
	Errors int `json:"errors"`
	Syntax int `json:"syntax"` // of Errors, those that were no Python
}

// TrainingTest compares two evals task by task.
type TrainingTest struct {
	Tasks       int      `json:"tasks"`
	Before      float64  `json:"before"`
	After       float64  `json:"after"`
	Diff        float64  `json:"diff"`
	SD          float64  `json:"sd"`
	CI          Interval `json:"ci"`
	Bootstrap   Interval `json:"ci_bootstrap"`
	P           float64  `json:"p"`
	PT          float64  `json:"p_t"`
	PHolm       float64  `json:"p_holm"`
	MDE         float64  `json:"mde"`
	TasksNeeded int      `json:"tasks_needed"`
	Verdict     string   `json:"verdict"`
	Words       string   `json:"words"`
}

// TrainingLesson is the imitation that a model began with.
type TrainingLesson struct {
	Demonstrations int     `json:"demonstrations"`
	Steps          int     `json:"steps"`
	Heldout        float64 `json:"heldout_loss"`
	Seconds        float64 `json:"seconds"`
}

// TrainingPoint is a line of the progression: every tenth step and the last.
type TrainingPoint struct {
	Step         int      `json:"step"`
	Reward       float64  `json:"reward"`
	Heldout      *float64 `json:"heldout"`
	Turns        float64  `json:"turns"`
	Dispatches   float64  `json:"dispatches"`
	SyntaxErrors float64  `json:"syntax_errors"`
	Loss         float64  `json:"loss"`
	KL           float64  `json:"kl"`
	Entropy      float64  `json:"entropy"`
	Margin       float64  `json:"margin"`
	Accuracy     float64  `json:"accuracy"`
}

// TrainingRung is one size of a ladder of preference pairs.
type TrainingRung struct {
	Pairs   int               `json:"pairs"`
	Tasks   int               `json:"tasks"`
	Gap     float64           `json:"gap"`
	Run     string            `json:"run"`
	Status  string            `json:"status"`
	Steps   int               `json:"steps"`
	Heldout *TrainingPairwise `json:"heldout_pairs"`
	Alarms  []string          `json:"alarms"`
	After   *EvalSummary      `json:"after"`
	Test    *TrainingTest     `json:"test"`
	Next    *TrainingTest     `json:"next"`
	Passed  bool              `json:"passed"`
	Seconds float64           `json:"seconds"`
}

// TrainingPairwise is what a policy makes of pairs that it does not learn from.
type TrainingPairwise struct {
	Pairs          int     `json:"pairs"`
	PreferenceLoss float64 `json:"preference_loss"`
	ChosenLogP     float64 `json:"chosen_logp"`
	RejectedLogP   float64 `json:"rejected_logp"`
	ChosenDrift    float64 `json:"chosen_drift"`
	Margin         float64 `json:"margin"`
	Accuracy       float64 `json:"accuracy"`
}

// TrainingGate is whether a training helped.
type TrainingGate struct {
	Passed bool   `json:"passed"`
	Words  string `json:"words"`
}

// stageName is the form of the directories in a training that may hold stages.
var stageName = regexp.MustCompile(`^(sft|grpo|dpo|pairs-[0-9]{1,9})$`)

// getTraining answers "training", "training/FROM" and "training/STAGE/FROM".
func getTraining(r *Run, rest string) (any, error) {
	if rest != "" {
		stage, from, ok := strings.Cut(rest, "/")
		known := ok && stageName.MatchString(stage)
		if !ok {
			stage, from, known = "", rest, true
		}
		n, err := strconv.Atoi(from)
		if err != nil || n < 0 || !known {
			return nil, notFound("a training has no %q", termtext.CutWith(rest, 80, "…"))
		}
		return r.steps(stage, n)
	}
	doc := TrainingDoc{Method: r.manifest.Method, Asked: []Fact{}, Stages: []TrainingStage{}}
	if err := r.summarizeTraining(&doc); err != nil {
		doc.Problem = plain(err)
	}
	r.askedFor(&doc)
	for _, name := range r.stages() {
		l, err := r.lines(stageFile(name))
		if err != nil || l.count() == 0 && name != "" {
			continue
		}
		method := doc.Method
		if name != "" {
			method, _, _ = strings.Cut(name, "-")
			if method == "pairs" {
				method = "dpo"
			}
		}
		doc.Stages = append(doc.Stages, TrainingStage{Name: name, Method: method, Steps: l.count()})
	}
	return doc, nil
}

func (r *Run) summarizeTraining(doc *TrainingDoc) error {
	var s TrainingSummary
	err := r.readJSON(summaryName, &s)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.Method == "" {
		return damaged("%s is no summary of a training", summaryName)
	}
	s.Caveats, s.Progression, s.Ladder = neverNull(s.Caveats), neverNull(s.Progression), neverNull(s.Ladder)
	for i := range s.Ladder {
		rung := &s.Ladder[i]
		rung.Alarms = neverNull(rung.Alarms)
		if rung.After != nil { // what is not shown of it
			rung.After.Tasks, rung.After.Metrics = []EvalTask{}, map[string]EvalSpread{}
		}
	}
	for _, e := range []*EvalSummary{s.Before, s.After} {
		if e != nil {
			e.Tasks = neverNull(e.Tasks)
		}
	}
	doc.Method, doc.Summary = s.Method, &s
	return nil
}

// askedFor reads the options: those of run.json, or of the plan where there is only that.
func (r *Run) askedFor(doc *TrainingDoc) {
	options := r.manifest.Options
	if len(options) == 0 {
		var plan map[string]json.RawMessage
		if r.readJSON(planName, &plan) != nil {
			return
		}
		if doc.Method == "" {
			doc.Method = termtext.CutWith(textOf(plan["method"]), 20, "…")
		}
		options = plan[doc.Method]
	}
	doc.Asked = infoFacts(options)
	for _, f := range doc.Asked {
		if f.Name == "steps" {
			doc.Planned, _ = strconv.Atoi(f.Value)
		}
	}
}

// stages are the names of the directory's parts that may have steps, the run itself last.
func (r *Run) stages() []string {
	var names []string
	if d, err := r.root.Open("."); err == nil {
		all, _ := d.Readdirnames(1000) // what cannot be listed is not shown
		d.Close()
		for _, name := range all {
			if stageName.MatchString(name) && r.has(stageFile(name)) {
				names = append(names, name)
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b) // pairs-120 before pairs-1000
		}
		return strings.Compare(a, b)
	})
	if r.has(metricsName) {
		names = append(names, "")
	}
	return names
}

func stageFile(stage string) string {
	if stage == "" {
		return metricsName
	}
	return stage + "/" + metricsName
}
