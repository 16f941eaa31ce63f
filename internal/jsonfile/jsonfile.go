// Package jsonfile writes JSON for files and terminals in one form: two spaces an indent, a line break at the end.
package jsonfile

import (
	"bytes"
	"encoding/json"
	"io"
)

// Write writes v. The characters <, > and & are written as \u003c and the like, so that the text may stand in a page.
func Write(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Bytes is what [Write] writes.
func Bytes(v any) ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, v)
	return b.Bytes(), err
}

// WritePlain writes v with <, > and & as they are, as other programs' files have them.
func WritePlain(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Line is v on one line without a line break at its end, with <, > and & as they are.
func Line(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
