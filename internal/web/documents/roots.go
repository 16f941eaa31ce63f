package main

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/history"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/trace"
	trainreport "github.com/deeprepo/deeprepo/internal/train/report"
	"github.com/deeprepo/deeprepo/internal/view/code"
	"github.com/deeprepo/deeprepo/internal/view/compare"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/evals"
	"github.com/deeprepo/deeprepo/internal/view/pairs"
	"github.com/deeprepo/deeprepo/internal/view/review"
	"github.com/deeprepo/deeprepo/internal/view/traces"
	"github.com/deeprepo/deeprepo/internal/view/training"
	"github.com/deeprepo/deeprepo/internal/web/ui"
)

// module is the path that packages begin with whose sources lie below the module's root.
const module = "github.com/deeprepo/deeprepo/"

// roots are the documents, and the other answers of the server. What they are made of is found from there.
func roots() []any {
	return []any{
		ui.Rows{}, ui.Fleet{}, ui.Problem{}, ui.Decisions{}, doc.Header{},
		traces.Trace{}, traces.Turn{}, traces.Prompt{}, traces.Dispatch{},
		ui.History{}, review.Files{}, review.File{}, review.Findings{}, review.Claims{},
		evals.EvalDoc{}, evals.EvalRollout{}, eval.Comparison{},
		runfile.Bench{},
		code.CodeRun{}, code.CodeTask{}, compare.Comparison{}, compare.Flip{},
		pairs.PairSet{}, pairs.PairPage{},
		training.TrainingDoc{}, training.TrainingSteps{}, trainreport.Joint{}, stats.IntervalJSON{},
	}
}

// names are what the page calls a type where that is not its name in Go. Two types of one name must have the same fields.
func names() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[doc.Header]():                 "Run",
		reflect.TypeFor[history.Entry]():              "HistoryEntry",
		reflect.TypeFor[doc.Fact]():                   "NamedFact", // Fact is a component
		reflect.TypeFor[trace.Status]():               "EndStatus",
		reflect.TypeFor[trace.End]():                  "TraceEnd",
		reflect.TypeFor[runfile.Skip]():               "SkippedFile",
		reflect.TypeFor[runfile.Bench]():              "BenchDoc",
		reflect.TypeFor[runfile.BenchRunTruth]():      "BenchFound",
		reflect.TypeFor[runfile.RewardPart]():         "EvalPartValue",
		reflect.TypeFor[eval.Comparison]():            "EvalComparison",
		reflect.TypeFor[eval.Column]():                "EvalColumn",
		reflect.TypeFor[runfile.TaskTest]():           "TaskTest",
		reflect.TypeFor[stats.IntervalJSON]():         "Interval",
		reflect.TypeFor[runfile.Controls]():           "GateControls", // as a summary has them
		reflect.TypeFor[trainreport.Joint]():          "TrainingComparison",
		reflect.TypeFor[trainreport.Line]():           "TrainingLine",
		reflect.TypeFor[trainreport.Group]():          "TrainingGroup",
		reflect.TypeFor[trainreport.Effect]():         "TrainingEffect",
		reflect.TypeFor[trainreport.Figure]():         "TrainingFigure",
		reflect.TypeFor[runfile.PairSides[int]]():     "PairCounts",
		reflect.TypeFor[runfile.PairSides[float64]](): "PairSides",
	}
}

// written are the types that say themselves how they are written as JSON.
func written() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[time.Time]():           "string",
		reflect.TypeFor[json.RawMessage]():     "unknown",
		reflect.TypeFor[stats.Interval]():      "Interval",
		reflect.TypeFor[trace.StopReason]():    "string", // or a text of what failed
		reflect.TypeFor[money.USD]():           "number",
		reflect.TypeFor[doc.Column]():          "(number | null)[]",
		reflect.TypeOf(traces.Trace{}.CostUSD): "(number | null)[]",
	}
}

// nullable are the lists and maps that may be null; every other one is written as empty where it holds nothing.
func nullable() []string {
	return []string{
		"EvalSummary.error_names", "EvalSummary.metrics", "EvalSummary.stop_conditions", "EvalSummary.tasks",
	}
}
