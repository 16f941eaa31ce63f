package locate

import (
	"math"
	"strings"
)

// What counts as a line of code that a text quotes.
const (
	minQuoted = 14  // bytes
	maxQuoted = 500 // lines of a text
	maxHolds  = 5   // places that hold a line above which it says nothing of one of them
)

// bare is a line without what texts set before code: prompts, the marks of quotations, differences and failed tests.
func bare(line string) string {
	line = strings.TrimSpace(line)
	for _, mark := range []string{">>>", "...", ">", "+", "-", "E "} {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	return line
}

// readQuoted takes the lines that may be code of the codebase.
func (q *query) readQuoted(text string) {
	for line := range strings.Lines(text) {
		if line = bare(line); len(line) >= minQuoted && len(q.quoted) < maxQuoted {
			q.quoted[line] = true
		}
	}
}

// quotes scores files and places by the lines that the text has from them, whole: 1 - exp(-sum), where each line adds 1 shared among
// the places that hold it.
func (x *Index) quotes(q *query) (files, places []float64) {
	files, places = make([]float64, len(x.files)), make([]float64, len(x.places))
	if len(q.quoted) == 0 {
		return files, places
	}
	held := map[string][]*place{}
	for _, f := range x.files {
		if f.test {
			continue
		}
		text, _ := x.code.Text(f.path)
		number := 0
		for line := range strings.Lines(text) {
			number++
			if line = bare(line); !q.quoted[line] || len(held[line]) > maxHolds {
				continue
			}
			if p := f.placeAt(number); p != nil {
				held[line] = append(held[line], p)
			}
		}
	}
	for _, found := range held {
		if len(found) > maxHolds {
			continue
		}
		for _, p := range found {
			files[p.file.id] += 1 / float64(len(found))
			places[p.id] += 1 / float64(len(found))
		}
	}
	for _, column := range [][]float64{files, places} {
		for i, v := range column {
			column[i] = 1 - math.Exp(-v)
		}
	}
	return files, places
}
