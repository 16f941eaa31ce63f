package orchestrationv1

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

//go:embed repl_v1.py
var prelude string

// outputChars is how much of a turn's output the model sees.
const outputChars = 8192

// A cell of the reference is stopped after 30 s. That is about what this many steps take, and steps are the same on
// every machine; the time is a backstop for work inside C code.
const (
	cellSteps = 300_000_000
	cellWall  = 60 * time.Second
)

// report is what the guest says after a cell. Its numbers are the policy's to change, as they are in the reference.
type report struct {
	Output     string   `json:"output"` // its first 8,193 characters
	Chars      int      `json:"chars"`  // all of them
	ErrorType  string   `json:"error_type"`
	Error      string   `json:"error"`
	Answer     *string  `json:"answer"` // nil when it is not text
	Ready      bool     `json:"ready"`
	Dispatches int      `json:"dispatches"`
	Unique     int      `json:"unique"`
	TotalFiles *float64 `json:"total_files"` // nil when it is not a number
}

// dispatch is one call of llm_query, or one prompt of llm_batch.
type dispatch struct {
	Prompt string `json:"prompt"`
	Reply  string `json:"reply"`
}

// repl is the reference's REPL in a session of our sandbox.
type repl struct {
	session *sandbox.Session
	report  report // the latest
	fresh   bool   // the cell that runs has reported
	// dispatched sees every call of llm_query and of llm_batch before its cell continues, a long batch in pieces.
	dispatched func(more bool, batch []dispatch) error
}

func openREPL(ctx context.Context, box rlm.Sandbox, limits sandbox.Limits, p *problem,
	dispatched func(more bool, batch []dispatch) error) (*repl, error) {
	r := &repl{dispatched: dispatched, report: report{Answer: new(string), TotalFiles: &p.totalFiles}}
	setup, err := json.Marshal(map[string]any{
		"codebase": p.codebase, "file_tree": p.fileTree, "metadata": p.metadata, "cache": p.cache,
	})
	if err != nil {
		return nil, fmt.Errorf("encode the task: %w", err)
	}
	r.session, err = box.NewSession(ctx, sandbox.SessionConfig{
		Limits: limits, Prelude: prelude, Setup: setup, Host: r.host,
	})
	if err != nil {
		return nil, fmt.Errorf("open the sandbox: %w", err)
	}
	return r, nil
}

func (r *repl) close() { _ = r.session.Close() }

// host serves the guest's two calls.
func (r *repl) host(_ context.Context, name string, payload []byte) ([]byte, error) {
	switch name {
	case "dispatches":
		var call struct {
			More  bool       `json:"more"` // of the batch before
			Batch []dispatch `json:"batch"`
		}
		if err := json.Unmarshal(payload, &call); err != nil {
			return nil, fmt.Errorf("dispatches: %w", err)
		}
		return nil, r.dispatched(call.More, call.Batch)
	case "report":
		var next report
		if err := json.Unmarshal(payload, &next); err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		next.Unique, next.Dispatches = max(0, next.Unique), max(0, next.Dispatches)
		next.Output = firstChars(next.Output, outputChars+1)
		next.Chars = max(next.Chars, utf8.RuneCountInString(next.Output))
		r.report, r.fresh = next, true
		return nil, nil
	}
	return nil, errors.New("there is no such call")
}

// run executes one cell and returns the sandbox's result; what the cell did stands in r.report.
func (r *repl) run(ctx context.Context, code string) (sandbox.Result, error) {
	source, err := json.Marshal(strings.ToValidUTF8(code, "\uFFFD")) // a JSON string is a Python string
	if err != nil {
		return sandbox.Result{}, err
	}
	r.fresh = false
	result, err := r.session.Run(ctx, "_run("+string(source)+")")
	if err != nil || r.fresh {
		return result, err
	}
	stop, failure := result.Stop, result.Error
	if stop != "" && stop != "killed" {
		if _, err := r.session.Run(ctx, "_stopped()"); err != nil || r.fresh {
			return result, err
		}
	}
	// The interpreter had to be killed, or the cell broke the REPL itself: what was done before stands.
	r.report.ErrorType, r.report.Error = "TimeoutError", "time limit"
	r.report.Output = "\n[EXECUTION ERROR]\nThe cell ran too long and was stopped (limit: 30 s)."
	if stop == "" && failure != nil {
		r.report.ErrorType, r.report.Error = failure.Type, firstChars(failure.Message, 500)
		r.report.Output = "\n[EXECUTION ERROR]\n" + firstChars(failure.Traceback, outputChars)
	}
	r.report.Chars = utf8.RuneCountInString(r.report.Output)
	return result, nil
}

// firstChars cuts a text after n code points.
func firstChars(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
