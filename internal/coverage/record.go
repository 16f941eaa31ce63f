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
	for i := range rec.Files {
		f := &rec.Files[i]
		if f.Answered == 0 && len(f.Unanswered) == 0 { // nothing was sent, or the file is of an older version
			f.Answered = f.Dispatched
		}
		if f.Judged == 0 && len(f.Unjudged) == 0 { // the same
			f.Judged = f.Answered
		}
		if !sound(*f) {
			return runfile.CoverageRecord{}, fmt.Errorf("%s: the lines of %q cannot be right", runfile.CoverageName, f.Path)
		}
	}
	return rec, nil
}

// sound says whether the ranges are sorted, apart from each other, within the file, and as many lines as were counted, and
// whether only lines that were sent are unanswered, and only lines that were answered are unjudged.
func sound(f runfile.CoveredFile) bool {
	return f.Lines >= 0 && rising(f.Ranges, f.Lines) && rising(f.Unanswered, f.Lines) && count(f.Ranges) == f.Dispatched &&
		count(f.Unanswered) == f.Dispatched-f.Answered && len(without(f.Unanswered, f.Ranges)) == 0 &&
		rising(f.Unjudged, f.Lines) && count(f.Unjudged) == f.Answered-f.Judged &&
		len(without(f.Unjudged, without(f.Ranges, f.Unanswered))) == 0
}

// rising says whether ranges are sorted, apart from each other and within so many lines.
func rising(ranges [][2]int, lines int) bool {
	last := 0
	for _, r := range ranges {
		if r[0] <= last || r[1] < r[0] || r[1] > lines {
			return false
		}
		last = r[1]
	}
	return true
}

// without is the lines of all that are not in some; both are sorted.
func without(all, some [][2]int) [][2]int {
	var out [][2]int
	i := 0
	for _, r := range all {
		from := r[0]
		for i < len(some) && some[i][1] < from {
			i++
		}
		for k := i; k < len(some) && some[k][0] <= r[1]; k++ {
			if from < some[k][0] {
				out = append(out, [2]int{from, some[k][0] - 1})
			}
			from = some[k][1] + 1
		}
		if from <= r[1] {
			out = append(out, [2]int{from, r[1]})
		}
	}
	return out
}
