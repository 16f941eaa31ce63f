package training

import (
	"encoding/json"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// New shows the training in a directory.
func New(d *dir.Dir) doc.Shown {
	r := Run{d}
	return doc.Shown{
		Describe: r.describe, Outcome: runfile.SummaryName,
		Parts:     []doc.Part{{Section: doc.SectionTraining, Files: []string{runfile.MetricsName, runfile.SummaryName, runfile.PlanName}}},
		Documents: map[string]doc.Get{"training": r.training},
		Inventory: r.inventory,
	}
}

func (r Run) inventory(give func(string)) {
	give("training")
	for _, stage := range r.stages() {
		if stage != "" {
			stage += "/"
		}
		give("training/" + stage + "0")
	}
}

// TrainingDoc is the document "training": what a training came to, or is doing. Its steps are documents of their own:
// "training/FROM" are those of the run itself, "training/STAGE/FROM" those of a stage.
type TrainingDoc struct {
	// Method is sft, grpo or dpo, "" where nothing says so yet.
	Method  string                   `json:"method"`
	Asked   []doc.Fact               `json:"asked"`   // its options
	Stages  []TrainingStage          `json:"stages"`  // with steps: the run itself is "", and comes last
	Summary *runfile.TrainingSummary `json:"summary"` // null until it is done
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

// training answers "training", "training/FROM" and "training/STAGE/FROM".
func (r Run) training(rest string) (any, error) {
	if rest != "" {
		stage, from, ok := strings.Cut(rest, "/")
		known := ok && stageName.MatchString(stage)
		if !ok {
			stage, from, known = "", rest, true
		}
		n, err := strconv.Atoi(from)
		if err != nil || n < 0 || !known {
			return nil, doc.NotFound("a training has no %q", doc.Clip(rest, 80))
		}
		return r.steps(stage, n)
	}
	all := TrainingDoc{Method: r.Manifest.Method, Asked: []doc.Fact{}, Stages: []TrainingStage{}}
	if err := r.summarize(&all); err != nil {
		all.Problem = doc.Plain(err)
	}
	r.askedFor(&all)
	for _, name := range r.stages() {
		l, err := r.Lines(stageFile(name))
		if err != nil || l.Count() == 0 && name != "" {
			continue
		}
		method := all.Method
		if name != "" {
			method, _, _ = strings.Cut(name, "-")
			if method == "pairs" {
				method = "dpo"
			}
		}
		all.Stages = append(all.Stages, TrainingStage{Name: name, Method: method, Steps: l.Count()})
	}
	return all, nil
}

func (r Run) summarize(all *TrainingDoc) error {
	var file struct {
		runfile.TrainingSummary
		Schema      any `json:"schema"`      // shown nowhere, so that it may have any shape
		Progression any `json:"progression"` // the steps are shown
	}
	err := r.ReadJSON(runfile.SummaryName, &file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	s := &file.TrainingSummary
	if s.Method == "" {
		return doc.Damaged("%s is no summary of a training", runfile.SummaryName)
	}
	s.Caveats, s.Progression, s.Ladder = doc.List(s.Caveats), doc.List(s.Progression), doc.List(s.Ladder)
	for i := range s.Ladder {
		rung := &s.Ladder[i]
		rung.Alarms = doc.List(rung.Alarms)
		if rung.After != nil { // what is not shown of it
			rung.After.Tasks, rung.After.Metrics = []runfile.EvalTask{}, map[string]runfile.EvalSpread{}
		}
	}
	for _, e := range []*runfile.EvalSummary{s.Before, s.After} {
		if e != nil {
			e.Tasks = doc.List(e.Tasks)
		}
	}
	all.Method, all.Summary = s.Method, s
	return nil
}

// askedFor reads the options: those of run.json, or of the plan where there is only that.
func (r Run) askedFor(all *TrainingDoc) {
	options := r.Manifest.Options
	if len(options) == 0 {
		var plan map[string]json.RawMessage
		if r.ReadJSON(runfile.PlanName, &plan) != nil {
			return
		}
		if all.Method == "" {
			all.Method = doc.Clip(doc.TextOf(plan["method"]), 20)
		}
		options = plan[all.Method]
	}
	all.Asked = doc.PlainFacts(options)
	for _, f := range all.Asked {
		if f.Name == "steps" {
			all.Planned, _ = strconv.Atoi(f.Value)
		}
	}
}
