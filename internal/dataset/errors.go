package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
)

// FetchError says that a dataset's file could not be fetched from where it is published.
type FetchError struct {
	name string
	err  error
	hint string
}

func (e *FetchError) Error() string {
	why := e.err
	var call *url.Error
	if errors.As(why, &call) { // the address is in the hint
		why = call.Err
	}
	return fmt.Sprintf("dataset %s could not be fetched: %v", e.name, why)
}

func (e *FetchError) Unwrap() error { return e.err }

// Hint says where a copy is.
func (e *FetchError) Hint() string { return e.hint }

// rowError is a row that cannot be used.
type rowError struct {
	row string // "line 12", "entry 12"
	err error
}

func (e *rowError) Error() string { return e.row + ": " + e.err.Error() }
func (e *rowError) Unwrap() error { return e.err }

// missing is the error of a row without a field.
func missing(field string) error { return fmt.Errorf("field %q is missing or empty", field) }

// tidy puts what encoding/json says into words about the file.
func tidy(err error) error {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Errorf("field %q holds a %s where a %s belongs", wrong.Field, wrong.Value, kind(wrong))
	case errors.As(err, &wrong):
		return fmt.Errorf("a %s where a %s belongs", wrong.Value, kind(wrong))
	case errors.As(err, &syntax):
		return fmt.Errorf("broken JSON at byte %d: %w", syntax.Offset, err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("broken JSON: it ends in the middle")
	}
	return err
}

// kind names the type that was wanted as JSON does.
func kind(e *json.UnmarshalTypeError) string {
	switch k := e.Type.Kind().String(); k {
	case "slice", "array":
		return "list"
	case "struct", "map":
		return "object"
	case "int", "int64", "float64":
		return "number"
	default:
		return k
	}
}

// place names a row for people: line n of a JSONL file, entry n of a JSON list.
func place(word string, n int) string { return word + " " + strconv.Itoa(n) }

// errNotDefined says that a program lacks a function.
func errNotDefined(name, where string) error {
	return fmt.Errorf("%s does not define the function %q", where, name)
}
