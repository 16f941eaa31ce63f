package taskset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// element is one element of a list, with the line on which it begins.
type element[T any] struct {
	value T
	line  int
}

// decodeList reads a JSON list strictly: unknown fields, trailing text and nulls are errors. The line is where the
// fault is.
func decodeList[T any](data []byte) (list []element[T], line int, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	token, err := dec.Token()
	if err != nil {
		return nil, lineAt(data, faultOffset(err, data, dec.InputOffset())), plain(err)
	}
	if token != json.Delim('[') {
		return nil, 1, errors.New("this is no JSON list")
	}
	for dec.More() {
		start := int(dec.InputOffset())
		for start < len(data) && strings.ContainsRune(" \t\r\n,", rune(data[start])) {
			start++
		}
		at := lineAt(data, int64(start))
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, lineAt(data, faultOffset(err, data, int64(start))), plain(err)
		}
		var v T
		if err := decodeStrict(raw, &v); err != nil {
			return nil, at, err
		}
		list = append(list, element[T]{v, at})
	}
	if _, err := dec.Token(); err != nil {
		return nil, lineAt(data, faultOffset(err, data, dec.InputOffset())), plain(err)
	}
	if rest := bytes.TrimSpace(data[dec.InputOffset():]); len(rest) > 0 {
		return nil, lineAt(data, int64(len(data)-len(rest))), errors.New("text after the list")
	}
	return list, 0, nil
}

// decodeStrict reads one JSON object: unknown fields, a null and trailing text are errors.
func decodeStrict(data []byte, into any) error {
	if text := bytes.TrimSpace(data); len(text) == 0 || text[0] != '{' {
		return errors.New("this is no JSON object")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return plain(err)
	}
	if len(bytes.TrimSpace(data[dec.InputOffset():])) > 0 {
		return errors.New("text after the object")
	}
	return nil
}

// plain words the decoder's errors for those who write task files.
func plain(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the JSON ends too early")
	case errors.As(err, &kind):
		return fmt.Errorf("%q cannot be a %s", kind.Field, kind.Value)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// faultOffset is where the decoder stumbled: it counts from the beginning of its input.
func faultOffset(err error, data []byte, otherwise int64) int64 {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return int64(len(bytes.TrimRight(data, "\r\n")))
	case errors.As(err, &syntax):
		return max(0, syntax.Offset-1)
	}
	return otherwise
}

// lineAt is the 1-based line of an offset.
func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
}
