package resultfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// document is a file's text while it is read.
type document struct {
	name string
	data []byte
}

// part is a JSON value and where it begins in the document.
type part struct {
	raw []byte
	at  int
}

// read tells the forms apart and reads the one it is.
func (d document) read(o Options) (*File, error) {
	dec := json.NewDecoder(bytes.NewReader(d.data))
	var first json.RawMessage
	if err := dec.Decode(&first); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &Error{File: d.name, Why: "it is empty", Help: formsHint}
		}
		return nil, d.broken(err, 0)
	}
	end := int(dec.InputOffset())
	whole := part{first, end - len(first)}
	more := len(bytes.TrimSpace(d.data[end:])) > 0
	switch {
	case first[0] == '[' && !more:
		return d.list(whole)
	case first[0] != '{':
		return nil, d.fault(whole.at, "this is neither an object nor a list of rows")
	case more:
		return d.rows()
	}
	fields, err := d.fields(whole)
	if err != nil {
		return nil, err
	}
	for _, f := range fields {
		switch f.key {
		case "task_id": // a single row
			return d.rows()
		case "eval":
			return d.evalPlus(f.part, o)
		}
	}
	return d.reference(whole, fields, o)
}

// field is a member of an object.
type field struct {
	key string
	part
}

// fields are the members of an object, in order.
func (d document) fields(p part) ([]field, error) {
	dec := json.NewDecoder(bytes.NewReader(p.raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, d.fault(p.at, "an object was expected")
	}
	var all []field
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, d.broken(err, p.at)
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, d.broken(err, p.at)
		}
		all = append(all, field{key.(string), part{raw, p.at + int(dec.InputOffset()) - len(raw)}})
	}
	return all, nil
}

// elements are the members of a list, in order.
func (d document) elements(p part, what string) ([]part, error) {
	dec := json.NewDecoder(bytes.NewReader(p.raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return nil, d.fault(p.at, what+" is no list")
	}
	var all []part
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, d.broken(err, p.at)
		}
		all = append(all, part{raw, p.at + int(dec.InputOffset()) - len(raw)})
	}
	return all, nil
}

// decode fills v; what names the value in errors.
func (d document) decode(p part, v any, what string) error {
	err := json.Unmarshal(p.raw, v)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if wrong.Field != "" {
			what += "." + wrong.Field
		}
		return d.fault(p.at+int(wrong.Offset)-1, fmt.Sprintf("%s is a %s, which it must not be", what, wrong.Value))
	}
	if err != nil {
		return d.fault(p.at, fmt.Sprintf("%s: %v", what, err))
	}
	return nil
}

// fault is an error at an offset of the document.
func (d document) fault(at int, why string) *Error {
	at = max(0, min(at, len(d.data)))
	return &Error{File: d.name, Line: 1 + bytes.Count(d.data[:at], []byte("\n")), Why: why}
}

// broken is an error of the decoder in a value that begins at the offset.
func (d document) broken(err error, at int) *Error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		e := d.fault(at+int(syntax.Offset)-1, "broken JSON: "+syntax.Error())
		e.Help = formsHint
		return e
	}
	e := d.fault(len(d.data), "broken JSON: it ends in the middle")
	e.Help = "was the file written to its end?"
	return e
}

// taskID is a task's name: text, or MBPP's and APPS's numbers.
type taskID string

// UnmarshalJSON takes text and whole numbers.
func (id *taskID) UnmarshalJSON(data []byte) error {
	text := string(data)
	if strings.HasPrefix(text, `"`) {
		if err := json.Unmarshal(data, &text); err != nil {
			return err
		}
	} else if digits(text) != len(text) {
		return errors.New("task_id is neither text nor a number")
	}
	if strings.TrimSpace(text) == "" || len(text) > maxID {
		return fmt.Errorf("task_id is empty or longer than %d bytes", maxID)
	}
	*id = taskID(text)
	return nil
}

// tooMany is the error of a file that would fill memory.
func (d document) tooMany(at int) *Error {
	return d.fault(at, fmt.Sprintf("more than %d samples", maxSamples))
}
