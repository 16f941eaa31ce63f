package page

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/klauspost/compress/gzip"
)

// Archive is what a page in a file shows: the documents of one run by their resource paths. The key "" is the run itself.
type Archive map[string]json.RawMessage

// What lies in the file as plain JSON, so that the first sight of a run waits for no unpacking and a program finds its
// facts without any: the run, and small documents while there is room.
const (
	plainDocument = 4 << 10
	plainTotal    = 32 << 10
)

// Data blocks of a file, by their id. A browser runs none of them: their types are no scripts'.
const (
	plainID  = "archive"        // a JSON object: resource path -> document
	packedID = "archive-packed" // base64 of gzip of lines: a path as a JSON string, its document, the next path, ...
)

// split sorts documents into those that are shown at once and those that are packed, each compacted and checked.
func (a Archive) split() (plain, packed Archive, err error) {
	plain, packed = Archive{}, Archive{}
	room := plainTotal
	for _, path := range slices.Sorted(maps.Keys(a)) { // "" comes first
		var b bytes.Buffer
		if err := json.Compact(&b, a[path]); err != nil {
			return nil, nil, fmt.Errorf("page: the document %q is not JSON: %w", path, err)
		}
		if path == "" || b.Len() <= plainDocument && b.Len() <= room {
			plain[path] = b.Bytes()
			room -= b.Len()
		} else {
			packed[path] = b.Bytes()
		}
	}
	return plain, packed, nil
}

// writePlain writes documents as one JSON object that HTML cannot end: without any "<".
func writePlain(w io.Writer, documents Archive) error {
	data, err := json.Marshal(documents) // escapes <, > and & in what it copies, too
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// writePacked writes documents for the page to unpack: base64 has no character that HTML knows.
func writePacked(w io.Writer, documents Archive) error {
	text := base64.NewEncoder(base64.StdEncoding, w)
	packed, err := gzip.NewWriterLevel(text, gzip.DefaultCompression)
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(documents)) {
		name, err := json.Marshal(path)
		if err != nil {
			return err
		}
		for _, line := range [][]byte{name, documents[path]} {
			if _, err := packed.Write(append(line[:len(line):len(line)], '\n')); err != nil {
				return err
			}
		}
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return text.Close()
}
