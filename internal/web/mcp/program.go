package mcp

import (
	"context"
	"fmt"
	"maps"

	"github.com/deeprepo/deeprepo/internal/codeeval"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/web/runcode"
)

type programIn struct {
	Code     string   `json:"code" jsonschema:"the program"`
	Language string   `json:"language,omitempty" jsonschema:"python, which is the default"`
	Stdin    string   `json:"stdin,omitempty" jsonschema:"what it reads from standard input; not with tests"`
	Entry    string   `json:"entry,omitempty" jsonschema:"with tests: the function that they call"`
	Tests    []string `json:"tests,omitempty" jsonschema:"Python that must run to its end, each, such as assert add(1, 2) == 3"`
	Names    []string `json:"names,omitempty" jsonschema:"with tests: further names that they take from the program"`
}

type programOut struct {
	Verdict  string   `json:"verdict"` // passed, failed, timeout, memory, ...
	Stdout   string   `json:"stdout"`
	Stderr   string   `json:"stderr"`
	Cut      bool     `json:"cut,omitempty"` // it wrote more than that
	ExitCode int      `json:"exit_code"`
	Error    string   `json:"error,omitempty"`
	Line     int      `json:"line,omitempty"`
	Tests    []tested `json:"tests,omitempty"`
	Steps    int64    `json:"steps"`
	Seconds  float64  `json:"seconds"`
}

type tested struct {
	Verdict string `json:"verdict"`
	Error   string `json:"error,omitempty"`
}

const (
	maxTests    = 1000
	outputBytes = 64 << 10 // of each of stdout and stderr: a model reads it
)

func (s *Server) runProgram(ctx context.Context, _ *call, in programIn) (programOut, error) {
	switch {
	case in.Language != "" && in.Language != "python" && in.Language != "python3":
		return programOut{}, hint.New("language "+quoted(in.Language)+" does not run here", "only python does")
	case len(in.Tests) > maxTests:
		return programOut{}, hint.New(fmt.Sprintf("at most %d tests are run", maxTests), "put several assertions into one")
	case len(in.Tests) > 0 && in.Stdin != "":
		return programOut{}, hint.New("stdin is for programs without tests", "leave out one of them")
	}
	p := sandbox.Program{Code: in.Code, Entry: in.Entry, Names: in.Names, Stdin: in.Stdin, KeepGoing: true, Limits: runcode.UsualLimits()}
	p.Limits.OutputBytes = outputBytes
	for i, code := range in.Tests {
		p.Tests = append(p.Tests, sandbox.Test{Name: fmt.Sprint(i + 1), Code: code})
	}
	j, err := s.c.Programs.Exec(ctx, p)
	if err != nil {
		return programOut{}, err
	}
	out := programOut{Verdict: string(j.Verdict), Stdout: j.Stdout, Stderr: j.Stderr, ExitCode: j.ExitCode, Steps: j.Steps,
		Cut: j.StdoutBytes > len(j.Stdout) || j.StderrBytes > len(j.Stderr), Seconds: j.Wall.Seconds()}
	if j.Error != nil {
		out.Error, out.Line = j.Error.Error(), j.Error.Line
	}
	for _, r := range j.Results {
		t := tested{Verdict: string(r.Verdict)}
		if r.Error != nil {
			t.Error = r.Error.Error()
		}
		out.Tests = append(out.Tests, t)
	}
	return out, nil
}

type judgeIn struct {
	Path    string `json:"path" jsonschema:"the file of samples"`
	Dataset string `json:"dataset" jsonschema:"such as humaneval or mbpp"`
	Data    string `json:"data,omitempty" jsonschema:"a local copy of the dataset; default: it is fetched once"`
}

type judgeOut struct {
	Dataset  string             `json:"dataset"`
	Total    int                `json:"total"`
	Passed   int                `json:"passed"`
	PassAtK  map[string]float64 `json:"pass_at_k"`
	CI95     []float64          `json:"ci95,omitempty"`
	Withheld string             `json:"withheld,omitempty"` // why there is no score
	Verdicts map[string]int     `json:"verdicts"`
	Tasks    int                `json:"tasks"`
	OfTasks  int                `json:"tasks_total"`
	Notes    []string           `json:"diagnosis"`
}

func (s *Server) judge(ctx context.Context, c *call, in judgeIn) (judgeOut, error) {
	j := Judging{Dataset: in.Dataset}
	var err error
	if j.Samples, err = resolveFile(c.roots, in.Path); err != nil {
		return judgeOut{}, err
	}
	if in.Data != "" {
		if j.Data, err = resolveFile(c.roots, in.Data); err != nil {
			return judgeOut{}, err
		}
	}
	tell, end := c.progress(ctx)
	before, last := 0, codeeval.Progress{}
	r, err := s.c.Judge(ctx, j, func(p codeeval.Progress) {
		if p.Phase != last.Phase {
			before += last.Total
		}
		last = p
		tell(float64(before+p.Done), 0, fmt.Sprintf("%s %d of %d", p.Phase, p.Done, p.Total))
	})
	end()
	if err != nil {
		return judgeOut{}, err
	}
	out := judgeOut{Dataset: r.Dataset, Total: r.Total, Passed: r.Passed, PassAtK: map[string]float64{}, Withheld: r.Withheld,
		Verdicts: map[string]int{},
		Tasks:    r.Tasks, OfTasks: r.TasksTotal, Notes: append([]string{}, r.Diagnosis...)}
	maps.Copy(out.PassAtK, r.PassAtK)
	maps.Copy(out.Verdicts, r.Verdicts)
	if r.CI95 != nil {
		out.CI95 = r.CI95[:]
	}
	return out, nil
}
