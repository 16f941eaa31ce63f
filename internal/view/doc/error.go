package doc

import (
	"errors"
	"fmt"
	"io/fs"
)

// Error is why there is no such document.
type Error struct {
	Status  int // as in HTTP: 404 no such thing, 413 too large, 422 damaged
	Message string
	Hint    string // what can be done, or ""
}

func (e *Error) Error() string { return e.Message }

// NotFound says that there is no such thing.
func NotFound(format string, a ...any) *Error {
	return &Error{Status: 404, Message: fmt.Sprintf(format, a...)}
}

// Damaged says that what there is cannot be read.
func Damaged(format string, a ...any) *Error {
	return &Error{Status: 422, Message: fmt.Sprintf(format, a...)}
}

// TooLarge says that a file has more bytes than are read.
func TooLarge(name string, most int64) *Error {
	return &Error{Status: 413, Message: fmt.Sprintf("%s is larger than %d MB", name, most>>20),
		Hint: "the page does not show files of this size"}
}

// Of is the error that a reader is told: one of ours as it is, what is missing as not found, everything else as damage.
func Of(err error) error {
	var known *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.Is(err, fs.ErrNotExist):
		return NotFound("%s", Plain(err))
	}
	return Damaged("%s", Plain(err))
}

// Plain is an error's text without the operation in front of a path's.
func Plain(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Path + ": " + path.Err.Error()
	}
	return err.Error()
}
