package pairs

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A feature is a number about a text that says nothing about whether the program is right. A model that learns to
// prefer by it has learnt a shortcut.
type feature struct {
	name string
	of   func(s surface) float64
}

// surface is what the features look at.
type surface struct {
	text  string
	lines []string
	// comment are the characters in comments, docstring says that a triple-quoted text begins a line.
	comment   int
	docstring bool
	chars     int
}

func newSurface(text string) surface {
	s := surface{text: text, lines: strings.Split(strings.TrimRight(text, "\n"), "\n"), chars: utf8.RuneCountInString(text)}
	for _, line := range s.lines {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "#") {
			s.comment += utf8.RuneCountInString(trimmed)
		} else if i := strings.Index(trimmed, "  #"); i >= 0 {
			s.comment += utf8.RuneCountInString(trimmed[i+2:])
		}
		if strings.HasPrefix(trimmed, `"""`) || strings.HasPrefix(trimmed, `'''`) {
			s.docstring = true
		}
	}
	return s
}

// fence is how Markdown begins and ends a block of code.
const fence = "```"

func (s surface) has(what string) float64 { return truth(strings.Contains(s.text, what)) }

func (s surface) share(of func(line string) bool) float64 {
	n := 0
	for _, line := range s.lines {
		if of(line) {
			n++
		}
	}
	return float64(n) / float64(len(s.lines))
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// features are all of them. Each is of the order of 1, and about the surface alone: none looks at what is computed.
func features() []feature {
	return []feature{
		{"length", func(s surface) float64 { return math.Log1p(float64(s.chars)) }},
		{"lines", func(s surface) float64 { return math.Log1p(float64(len(s.lines))) }},
		{"fence", func(s surface) float64 { return s.has(fence) }},
		{"comments", func(s surface) float64 { return float64(s.comment) / float64(max(s.chars, 1)) }},
		{"docstring", func(s surface) float64 { return truth(s.docstring) }},
		{"type hints", func(s surface) float64 { return s.has("->") }},
		{"print", func(s surface) float64 { return s.has("print(") }},
		{"own tests", func(s surface) float64 { return truth(s.has("\nassert ")+s.has("__main__")+s.has("# Test") > 0) }},
		{"imports", func(s surface) float64 {
			return s.share(func(l string) bool { return strings.HasPrefix(l, "import ") || strings.HasPrefix(l, "from ") })
		}},
		{"begins with def", func(s surface) float64 { return truth(strings.HasPrefix(strings.TrimSpace(s.text), "def ")) }},
		{"prose", func(s surface) float64 { return s.share(prose) }},
		{"blank lines", func(s surface) float64 { return s.share(func(l string) bool { return strings.TrimSpace(l) == "" }) }},
		{"line length", func(s surface) float64 { return math.Log1p(float64(s.chars) / float64(len(s.lines))) }},
		{"indentation by tabs", func(s surface) float64 { return truth(strings.Contains(s.text, "\n\t")) }},
		{"carriage returns", func(s surface) float64 { return s.has("\r") }},
		{"try", func(s surface) float64 { return s.has("try:") }},
		{"ends with a line end", func(s surface) float64 { return truth(strings.HasSuffix(s.text, "\n")) }},
		{"beyond ASCII", func(s surface) float64 {
			return truth(strings.ContainsFunc(s.text, func(r rune) bool { return r > unicode.MaxASCII }))
		}},
	}
}

// prose recognises a line of words at the margin: "Here is the corrected function".
func prose(line string) bool {
	if line == "" || !unicode.IsUpper([]rune(line)[0]) {
		return false
	}
	return len(strings.Fields(line)) >= 4 && !strings.ContainsAny(line, "=[]{}")
}

// describe are the features of a text, in the order of features.
func describe(text string) []float64 {
	s := newSurface(text)
	var out []float64
	for _, f := range features() {
		out = append(out, f.of(s))
	}
	return out
}
