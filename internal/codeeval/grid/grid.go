// Package grid writes tables of results: the same cells for a terminal and as Markdown, with columns that line up.
//
// The invariant: cells are raw, and the output is harmless in its format; names in them may come from a stranger's
// file. It knows nothing of what the cells mean.
package grid

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Table is rows under a head. Every row has as many cells as the head; an empty one is written as a dash.
type Table struct {
	Head []string
	Rows [][]string
	// Left is how many columns, from the first, hold words; the others hold numbers, which line up at the right.
	// Defaults to none.
	Left int
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// widest bounds a cell on a terminal, in characters.
const widest = 72

// Text is the table for a terminal.
func (t Table) Text() string {
	rows, widths := t.cells(func(s string) string {
		s = termtext.Inline(s)
		if r := []rune(s); len(r) > widest {
			return string(r[:widest-1]) + "…"
		}
		return s
	})
	var b strings.Builder
	for n, row := range rows {
		line := ""
		for i, cell := range row {
			line += "  " + t.fill(cell, widths[i], i)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
		if n == 0 {
			for _, w := range widths {
				b.WriteString("  " + strings.Repeat("-", w))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// Markdown is the table as GitHub's Markdown.
func (t Table) Markdown() string {
	rows, widths := t.cells(report.InlineMarkdown)
	var b strings.Builder
	for n, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(&b, "| %s ", t.fill(cell, widths[i], i))
		}
		b.WriteString("|\n")
		if n == 0 {
			for i, w := range widths {
				if i < t.Left {
					b.WriteString("|" + strings.Repeat("-", w+2))
				} else {
					b.WriteString("|" + strings.Repeat("-", w+1) + ":")
				}
			}
			b.WriteString("|\n")
		}
	}
	return b.String()
}

// cells are all rows, the head first, made harmless, and the columns' widths.
func (t Table) cells(safe func(string) string) (rows [][]string, widths []int) {
	widths = make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		out := make([]string, len(t.Head))
		for i := range out {
			if i < len(row) {
				out[i] = safe(row[i])
			}
			if out[i] == "" {
				out[i] = "-"
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(out[i]))
		}
		rows = append(rows, out)
	}
	return rows, widths
}

func (t Table) fill(cell string, width, column int) string {
	blanks := strings.Repeat(" ", width-utf8.RuneCountInString(cell))
	if column < t.Left {
		return cell + blanks
	}
	return blanks + cell
}

// Percent is a share as a cell has it.
func Percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }

// Span is an interval, scaled, as a cell has it.
func Span(v *[2]float64, scale float64, format string) string {
	if v == nil {
		return "n/a"
	}
	return fmt.Sprintf("["+format+", "+format+"]", scale*v[0], scale*v[1])
}
