package main

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/trace"
	trainreport "github.com/deeprepo/deeprepo/internal/train/report"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/web/ui"
)

// module is the path that packages begin with whose sources lie below the module's root.
const module = "github.com/deeprepo/deeprepo/"

// roots are the documents, and the other answers of the server. What they are made of is found from there.
func roots() []any {
	return []any{
		ui.Rows{}, ui.Problem{}, view.Header{},
		view.Trace{}, view.Turn{}, view.Prompt{}, view.Dispatch{},
		view.Files{}, view.File{}, view.Findings{},
		view.EvalDoc{}, view.EvalRollout{}, eval.Comparison{},
		view.BenchDoc{},
		view.CodeRun{}, view.CodeTask{}, view.Comparison{}, view.Flip{},
		view.PairSet{}, view.PairPage{},
		view.TrainingDoc{}, view.TrainingSteps{}, trainreport.Joint{},
	}
}

// names are what the page calls a type where that is not its name in Go. Two types of one name must have the same fields.
func names() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[view.Header]():                  "Run",
		reflect.TypeFor[view.Fact]():                    "NamedFact", // Fact is a component
		reflect.TypeFor[report.Verification]():          "SecondLook",
		reflect.TypeOf(view.EvalRollout{}.Parts).Elem(): "EvalPartValue",
		reflect.TypeOf(view.BenchReview{}.Truth).Elem(): "BenchFound",
		reflect.TypeOf(view.BenchGap{}.Measures).Elem(): "BenchMeasure",
		reflect.TypeFor[eval.Comparison]():              "EvalComparison",
		reflect.TypeFor[trace.Status]():                 "EndStatus",
		reflect.TypeFor[eval.Column]():                  "EvalColumn",
		reflect.TypeFor[eval.Test]():                    "EvalTest",
		reflect.TypeFor[eval.Spread]():                  "EvalSpread",
		reflect.TypeFor[eval.Proportion]():              "EvalShare",
		reflect.TypeFor[view.TrainingTest]():            "TaskTest",
		reflect.TypeFor[trainreport.Joint]():            "TrainingComparison",
		reflect.TypeFor[trainreport.Line]():             "TrainingLine",
		reflect.TypeFor[trainreport.Group]():            "TrainingGroup",
		reflect.TypeFor[trainreport.Effect]():           "TrainingEffect",
		reflect.TypeFor[trainreport.Figure]():           "TrainingFigure",
	}
}

// written are the types that say themselves how they are written as JSON.
func written() map[reflect.Type]string {
	return map[reflect.Type]string{
		reflect.TypeFor[time.Time]():         "string",
		reflect.TypeFor[json.RawMessage]():   "unknown",
		reflect.TypeFor[stats.Interval]():    "Interval",
		reflect.TypeFor[view.Column]():       "(number | null)[]",
		reflect.TypeOf(view.Trace{}.CostUSD): "(number | null)[]",
	}
}

// nullable are the lists and maps that may be null; every other one is written as empty where it holds nothing.
func nullable() []string {
	return []string{
		"EvalSummary.error_names", "EvalSummary.metrics", "EvalSummary.stop_conditions", "EvalSummary.tasks",
	}
}
