package bench

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// table is one table, to be written as text, Markdown or HTML. Its cells are raw: names in them may be hostile, and every
// writer makes them harmless for the place they go to.
type table struct {
	Title string
	Head  []string
	Rows  [][]string
	// Notes stand below it.
	Notes []string
}

// widest is how many columns of configurations a table of metrics may have; with more, configurations become rows.
const widest = 6

// turned puts configurations into columns, as the research journal has them, or into rows where there are many.
func turned(t table) table {
	if len(t.Rows) > widest {
		return t
	}
	return flipped(t, t.Head[0])
}

// WriteText writes the tables for a terminal.
func WriteText(w io.Writer, r Result) error {
	var b strings.Builder
	fmt.Fprintln(&b, headline(r))
	for _, t := range tables(r) {
		fmt.Fprintf(&b, "\n%s\n", termtext.Inline(t.Title))
		writeGrid(&b, t, func(s string) string { return clipped(termtext.Inline(s)) }, false)
		for _, n := range t.Notes {
			fmt.Fprintf(&b, "  %s\n", termtext.Inline(n))
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "\nnote: %s", termtext.Inline(n))
	}
	if len(r.Notes) > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nquality: F2 against the truth (A from 0.80, B from 0.60, C from 0.40, else D); without truth, marked ?: coverage "+
		"x grounded share.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMarkdown writes bench.md.
func WriteMarkdown(w io.Writer, r Result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Bench\n\n%s\n", headline(r))
	for _, t := range tables(r) {
		fmt.Fprintf(&b, "\n## %s\n\n", report.InlineMarkdown(t.Title))
		writeGrid(&b, t, report.InlineMarkdown, true)
		for _, n := range t.Notes {
			fmt.Fprintf(&b, "\n%s\n", report.InlineMarkdown(n))
		}
	}
	if len(r.Notes) > 0 {
		b.WriteString("\n## Notes\n\n")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "- %s\n", report.InlineMarkdown(n))
	}
	b.WriteString("\n## Rules\n\n")
	for _, n := range r.Rules {
		fmt.Fprintf(&b, "- %s\n", report.InlineMarkdown(n))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJSON writes bench.json.
func WriteJSON(w io.Writer, r Result) error {
	return jsonfile.Write(w, r)
}

// writeGrid writes columns that line up, with Markdown's bars or without.
func writeGrid(b *strings.Builder, t table, safe func(string) string, bars bool) {
	rows := [][]string{}
	widths := make([]int, len(t.Head))
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		out := make([]string, len(row))
		for i, cell := range row {
			if out[i] = safe(cell); out[i] == "" {
				out[i] = "-"
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(out[i]))
		}
		rows = append(rows, out)
	}
	for n, row := range rows {
		for i, cell := range row {
			fill := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch {
			case bars:
				fmt.Fprintf(b, "| %s%s ", cell, fill)
			case i == len(row)-1:
				b.WriteString("  " + cell)
			default:
				b.WriteString("  " + cell + fill)
			}
		}
		if bars {
			b.WriteString("|")
		}
		b.WriteString("\n")
		if n == 0 {
			for i, w := range widths {
				switch {
				case bars && i > 0:
					b.WriteString("|" + strings.Repeat("-", w+1) + ":")
				case bars:
					b.WriteString("|" + strings.Repeat("-", w+2))
				default:
					b.WriteString("  " + strings.Repeat("-", w))
				}
			}
			if bars {
				b.WriteString("|")
			}
			b.WriteString("\n")
		}
	}
}

// clipped bounds a cell on a terminal.
func clipped(s string) string { return termtext.Left(s, 72) }
