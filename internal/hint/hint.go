// Package hint gives errors a line of advice for the user. An error type with more to say than its advice has a method
// Hint of its own; the functions here read both.
package hint

import (
	"errors"
	"strings"
)

type hinter interface{ Hint() string }

type hinted struct {
	error
	hint string
}

func (e *hinted) Unwrap() error { return e.error }

// Hint is the advice.
func (e *hinted) Hint() string { return e.hint }

// New makes an error with advice.
func New(message, hint string) error { return &hinted{errors.New(message), hint} }

// Wrap gives an error advice, in place of its own if it has any.
func Wrap(err error, hint string) error { return &hinted{err, hint} }

// WrapMissing gives an error advice, unless it has its own.
func WrapMissing(err error, hint string) error {
	if strings.TrimSpace(Of(err)) != "" {
		return err
	}
	return Wrap(err, hint)
}

// Of is the advice of the first error in err's tree that can give any, "" without one.
func Of(err error) string {
	var h hinter
	if !errors.As(err, &h) {
		return ""
	}
	return h.Hint()
}

// Then is err's own advice before the next, or next alone.
func Then(err error, next string) string {
	if own := Of(err); own != "" {
		return own + "; then " + next
	}
	return next
}

// Advises reports whether an error in err's tree can give advice, even if it has none to give: it is a failure that the
// package it comes from knows and names, not a fault from elsewhere.
func Advises(err error) bool {
	var h hinter
	return errors.As(err, &h)
}
