package coverage

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/runfile"
)

// RecordSchema is the version of coverage.json that this package writes and reads.
const RecordSchema = 1

// maxRecord bounds a coverage.json that is read.
const maxRecord = 256 << 20

// WriteRecord writes coverage.json, one file of the codebase a line. Lists that are empty are written as [], never null.
func WriteRecord(w io.Writer, r runfile.CoverageRecord) error {
	out := bufio.NewWriter(w) // which keeps its first error
	fmt.Fprintf(out, "{\"schema\":%d,\"files\":[", r.Schema)
	for i, f := range r.Files {
		if f.Ranges == nil {
			f.Ranges = [][2]int{}
		}
		line, err := json.Marshal(f)
		if err != nil {
			return fmt.Errorf("write %s: %w", runfile.CoverageName, err)
		}
		if i > 0 {
			fmt.Fprint(out, ",")
		}
		fmt.Fprintf(out, "\n%s", line)
	}
	fmt.Fprint(out, "\n]}\n")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write %s: %w", runfile.CoverageName, err)
	}
	return nil
}

// ReadRecord reads a coverage.json, which anybody may have written: counts and ranges that no file can have are an error.
func ReadRecord(r io.Reader) (runfile.CoverageRecord, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxRecord+1))
	if err != nil {
		return runfile.CoverageRecord{}, fmt.Errorf("read %s: %w", runfile.CoverageName, err)
	}
	if len(data) > maxRecord {
		return runfile.CoverageRecord{}, fmt.Errorf("%s has more than %d bytes", runfile.CoverageName, maxRecord)
	}
	var rec runfile.CoverageRecord
	if err := json.Unmarshal(data, &rec); err != nil {
		return runfile.CoverageRecord{}, fmt.Errorf("%s: %w", runfile.CoverageName, err)
	}
	if rec.Schema != RecordSchema {
		return runfile.CoverageRecord{}, fmt.Errorf("%s has schema %d, this program reads %d", runfile.CoverageName, rec.Schema, RecordSchema)
	}
	for _, f := range rec.Files {
		if !sound(f) {
			return runfile.CoverageRecord{}, fmt.Errorf("%s: the lines of %q cannot be right", runfile.CoverageName, f.Path)
		}
	}
	return rec, nil
}

// sound says whether the ranges are sorted, apart from each other, within the file, and as many lines as were counted.
func sound(f runfile.CoveredFile) bool {
	last, n := 0, 0
	for _, r := range f.Ranges {
		if r[0] <= last || r[1] < r[0] || r[1] > f.Lines {
			return false
		}
		last, n = r[1], n+r[1]-r[0]+1
	}
	return f.Lines >= 0 && n == f.Dispatched
}
