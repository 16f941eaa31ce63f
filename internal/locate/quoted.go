package locate

import (
	"math"
	"strings"
)

// What counts as a line of code that a text quotes.
const (
	minQuoted = 14  // bytes
	maxQuoted = 500 // lines of a text
	maxHolds  = 5   // how often a line stands in the codebase above which it says nothing of one place
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
		line = bare(line)
		if _, known := q.quoted[line]; !known && len(line) >= minQuoted && len(q.quoted) < maxQuoted {
			q.quoted[line] = len(q.quoted)
		}
	}
}

// quotes scores files and places by the lines that the text has from them, whole: 1 - exp(-sum), where each line adds 1, shared among
// the places where it stands.
func (x *Index) quotes(q *query) (files, places []float64) {
	files, places = make([]float64, len(x.files)), make([]float64, len(x.places))
	if len(q.quoted) == 0 {
		return files, places
	}
	held := make([][]*place, len(q.quoted)) // by line
	for _, f := range x.files {
		if f.test {
			continue
		}
		text, _ := x.code.Text(f.path)
		number := 0
		for line := range strings.Lines(text) {
			number++
			i, ok := q.quoted[bare(line)]
			if !ok || len(held[i]) > maxHolds {
				continue
			}
			if p := f.placeAt(number); p != nil {
				held[i] = append(held[i], p)
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
