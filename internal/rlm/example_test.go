package rlm_test

import (
	"context"
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// A root, here a script, hands a file to a worker and answers with what the worker said.
func ExampleRun() {
	says := func(text string) llm.Handle {
		return llm.Handle{Name: "example/script", Price: llm.NotBilled(), Model: llm.Func(
			func(context.Context, llm.Request) (llm.Response, error) {
				return llm.Response{Text: text, Finish: llm.FinishStop}, nil
			})}
	}
	preset, err := rlm.BuiltinPreset("code")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := rlm.Run(context.Background(), rlm.Config{
		Codebase: codebase.FromMap(map[string]string{"main.py": "print('hello')\n"}),
		Models: models{
			root:   says("```python\nset_answer(llm_query('What does this do?\\n' + codebase['main.py']))\n```"),
			worker: says("It greets."),
		},
		Sandbox: engine, // sandbox.Open gives one
		Trace:   trace.NewWriter(trace.Discard, 0, time.Now, nil),
		Preset:  preset,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s after %d turn: %s\n", result.Status, result.Turns, result.Analysis)
	fmt.Printf("%.0f%% of the lines reached a worker\n", 100*result.Coverage.Fraction())
	// Output:
	// completed after 1 turn: It greets.
	// 100% of the lines reached a worker
}
