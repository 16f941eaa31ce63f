package llm

import (
	"context"
	"errors"

	"github.com/deeprepo/deeprepo/internal/hint"
)

// Failure is an error that travels to another machine as JSON: with its words, its advice and the call that failed.
type Failure struct {
	Text    string `json:"text"`
	Hint    string `json:"hint,omitempty"`
	Advises bool   `json:"advises,omitempty"` // see hint.Advises
	Call    *Error `json:"call,omitempty"`    // the *Error within it, but for its Err
	Ended   string `json:"ended,omitempty"`   // the end of a ctx within it, in its words

	err error
}

// ends are the errors of a ctx.
var ends = []error{context.Canceled, context.DeadlineExceeded}

// FailureOf makes an error ready to travel; nil stays nil.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Text: err.Error(), Hint: hint.Of(err), Advises: hint.Advises(err), err: err}
	if call, ok := asError(err); ok {
		call.Err = nil
		f.Call = &call
	}
	for _, end := range ends {
		if errors.Is(err, end) {
			f.Ended = end.Error()
		}
	}
	return f
}

// Cause is the error: itself where it has not travelled, else one of the same text, advice, and [*Error].
func (f *Failure) Cause() error {
	if f == nil {
		return nil
	}
	if f.err != nil {
		return f.err
	}
	var err error
	for _, end := range ends {
		if end.Error() == f.Ended {
			err = end
		}
	}
	if f.Call != nil {
		call := *f.Call
		call.Err, err = err, &call
	}
	if err == nil || err.Error() != f.Text {
		err = &travelled{f.Text, err}
	}
	if f.Advises && (!hint.Advises(err) || hint.Of(err) != f.Hint) {
		err = hint.Wrap(err, f.Hint)
	}
	return err
}

// travelled has the words of an error whose type stayed behind.
type travelled struct {
	text string
	err  error
}

func (t *travelled) Error() string { return t.text }
func (t *travelled) Unwrap() error { return t.err }
