package sandbox

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/sandbox/harness"
)

// This file holds what every place that judges programs by package harness has in common.

// NothingToJudge reports that tests or an entry point want code, and there are comments and white space only.
func (p Program) NothingToJudge() bool {
	for line := range strings.Lines(p.Code) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return p.Entry != "" || len(p.Tests) > 0
}

// Loaded is the suspect's word on a load; all of it may be a lie, which can only harm its own cause.
type Loaded struct {
	Verdict Verdict         `json:"verdict"`
	Error   *PyError        `json:"error"`
	Exit    int             `json:"exit"`
	Names   json.RawMessage `json:"names"`
}

// Judgement is what a load comes to, its texts cut.
func (l Loaded) Judgement() Judgement {
	j := Judgement{Verdict: l.Verdict, ExitCode: l.Exit}
	if e := l.Error; e != nil {
		j.Error = &PyError{Type: text(e.Type, 200), Message: text(e.Message, 40_000), Traceback: text(e.Traceback, 120_000), Line: e.Line}
	}
	return j
}

// Job is the order to a judge to run tests; names is what the suspect said about its own, "" for nothing.
func (p Program) Job(nonce, names string, tests []Test) harness.Job {
	q := harness.Job{Nonce: nonce, Setup: p.Setup, Judge: p.Judge, Entry: p.Entry, Wanted: append([]string{}, p.Names...),
		Names: cmp.Or(names, "[]"), Tests: [][2]string{}, Keep: p.KeepGoing}
	for _, test := range tests {
		q.Tests = append(q.Tests, [2]string{test.Name, test.Code})
	}
	return q
}

// Report is the judge's answer to a job.
type Report struct {
	Nonce   string `json:"nonce"`
	Fault   string `json:"fault"`
	Refused string `json:"refused"` // why the names of the load could not be taken
	Results []struct {
		OK    bool     `json:"ok"`
		Error *PyError `json:"error"`
	} `json:"results"`
}

// ReadReport reads the answer to a job of that nonce.
func ReadReport(reply []byte, nonce string) (r Report, err error) {
	switch err := json.Unmarshal(reply, &r); {
	case err != nil:
		return r, err
	case r.Fault != "":
		return r, fmt.Errorf("setup or judge: %s", r.Fault)
	case r.Nonce != nonce:
		return r, errors.New("the judge did not report")
	}
	return r, nil
}

// Infra is the judgement that a fault of the sandbox makes.
func Infra(err error) Judgement {
	return Judgement{Verdict: InfraError, Error: &PyError{Type: "InfraError", Message: text(err.Error(), 8000)}}
}

// ProtocolError is the error of a program that breaks the harness in its own interpreter.
func ProtocolError() *PyError {
	return &PyError{Type: "ProtocolError", Message: "the program broke its own interpreter"}
}
