package coverage

import (
	"encoding/json"
	"fmt"
	"io"
)

// RecordName is the file of a run's directory that holds a [Record].
const RecordName = "coverage.json"

// RecordSchema is the version of coverage.json that this package writes and reads.
const RecordSchema = 1

// maxRecord bounds a coverage.json that is read.
const maxRecord = 256 << 20

// Record is coverage.json: which lines of which file reached a worker, as a page can show them beside the text.
type Record struct {
	Schema int            `json:"schema"`
	Files  []RecordedFile `json:"files"` // sorted by path
}

// RecordedFile is one file of the codebase that was reviewed.
type RecordedFile struct {
	Path     string `json:"path"`
	Language string `json:"language"`
	Lines    int    `json:"lines"`
	// Dispatched counts the lines that reached a worker; Ranges are those lines: sorted, 1-based, both ends included.
	Dispatched int      `json:"dispatched"`
	Ranges     [][2]int `json:"ranges"`
	// SHA256 is the hex digest of the text that was reviewed: the file's bytes as codebase.Decode reads them. A text with
	// another digest is not what the ranges speak of.
	SHA256 string `json:"sha256"`
}

// WriteRecord writes coverage.json, one file of the codebase a line. Lists that are empty are written as [], never null.
func WriteRecord(w io.Writer, r Record) error {
	if _, err := fmt.Fprintf(w, "{\"schema\":%d,\"files\":[", r.Schema); err != nil {
		return fmt.Errorf("write %s: %w", RecordName, err)
	}
	for i, f := range r.Files {
		if f.Ranges == nil {
			f.Ranges = [][2]int{}
		}
		line, err := json.Marshal(f)
		if err != nil {
			return fmt.Errorf("write %s: %w", RecordName, err)
		}
		before := ",\n"
		if i == 0 {
			before = "\n"
		}
		if _, err := io.WriteString(w, before+string(line)); err != nil {
			return fmt.Errorf("write %s: %w", RecordName, err)
		}
	}
	if _, err := io.WriteString(w, "\n]}\n"); err != nil {
		return fmt.Errorf("write %s: %w", RecordName, err)
	}
	return nil
}

// ReadRecord reads a coverage.json, which a stranger may have written: counts and ranges that no file can have are an
// error.
func ReadRecord(r io.Reader) (Record, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxRecord+1))
	if err != nil {
		return Record{}, fmt.Errorf("read %s: %w", RecordName, err)
	}
	if len(data) > maxRecord {
		return Record{}, fmt.Errorf("%s has more than %d bytes", RecordName, maxRecord)
	}
	var rec Record
	if err := json.Unmarshal(data, &rec); err != nil {
		return Record{}, fmt.Errorf("%s: %w", RecordName, err)
	}
	if rec.Schema != RecordSchema {
		return Record{}, fmt.Errorf("%s has schema %d, this program reads %d", RecordName, rec.Schema, RecordSchema)
	}
	for _, f := range rec.Files {
		if !f.sound() {
			return Record{}, fmt.Errorf("%s: the lines of %q cannot be right", RecordName, f.Path)
		}
	}
	return rec, nil
}

// sound says whether the ranges are sorted, apart from each other, within the file, and as many lines as were counted.
func (f RecordedFile) sound() bool {
	last, n := 0, 0
	for _, r := range f.Ranges {
		if r[0] <= last || r[1] < r[0] || r[1] > f.Lines {
			return false
		}
		last, n = r[1], n+r[1]-r[0]+1
	}
	return f.Lines >= 0 && n == f.Dispatched
}
