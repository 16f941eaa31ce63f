package template

import (
	"bytes"
	"slices"
	"strings"
)

// js follows strings, regular expressions and comments of JavaScript, byte by byte. Strings end with their line, whatever a
// quote in a regular expression that was not known as one made of it.
type js struct {
	quote   byte // of the open string: ' " or `
	comment byte // '/' to the line's end, '*' to */
	regex   bool
	class   bool // in [...] of a regular expression
	escaped bool
	last    byte // the last byte, 0 where it can begin nothing
	solid   byte // the last byte that is no blank and no slash
}

// value is a value that an engine puts in.
func (s *js) value() { s.last, s.solid, s.escaped = 'x', 'x', false }

func (s *js) feed(c byte) {
	switch {
	case s.escaped:
		s.escaped = false
	case s.comment != 0:
		if s.comment == '/' && c == '\n' || c == '/' && s.last == '*' {
			s.comment, c = 0, ' '
		}
	case s.regex:
		s.inRegex(c)
	case s.quote != 0:
		s.escaped = c == '\\'
		if c == s.quote || c == '\n' && s.quote != '`' {
			s.quote, s.solid = 0, 'x'
		}
	case s.last == '/' && (c == '/' || c == '*'):
		s.comment, c = c, ' '
	case s.last == '/' && (s.solid == 0 || strings.IndexByte("(,=:[!&|?{};+>", s.solid) >= 0):
		s.regex = true
		s.inRegex(c)
	case c == '"' || c == '\'' || c == '`':
		s.quote = c
	case c > ' ' && c != '/':
		s.solid = c
	}
	s.last = c
}

func (s *js) inRegex(c byte) {
	switch {
	case c == '\\':
		s.escaped = true
	case c == '\n' || c == '/' && !s.class:
		s.regex, s.class, s.solid = false, false, 'x'
	case c == '[':
		s.class = true
	case c == ']':
		s.class = false
	}
}

// hole is what an engine fills or leaves out of a script: a part of the text by its bytes.
type hole struct {
	from, to int
	output   bool
}

// Scripts gives the text of a page or template with everything blanked but the scripts in it, byte for byte at their places,
// by the language that they are written in. What an engine fills is a name of underscores.
func Scripts(path, language string, src []byte) map[string][]byte {
	if !HasScripts(language) || !bytes.Contains(src, []byte("<script")) {
		return nil
	}
	d := dialectOf(path, language, string(src))
	if d == nil || d.lines || minified(strings.Split(string(src), "\n")) {
		return nil
	}
	p, texts := scan(d, string(src)), map[string][]byte{}
	for _, b := range p.scripts {
		text := texts[b.language]
		if text == nil {
			text = bytes.Repeat([]byte{' '}, len(src))
			for i, c := range src {
				if c == '\n' {
					text[i] = c
				}
			}
			texts[b.language] = text
		}
		copy(text[b.from:b.to], src[b.from:b.to])
		if b.to < len(text) {
			text[b.to] = ';'
		}
	}
	for _, h := range p.holes {
		fill := byte(' ')
		if h.output {
			fill = '_'
		}
		for _, text := range texts {
			for i := h.from; i < h.to && text[h.to-1] != ' '; i++ {
				if text[i] != '\n' {
					text[i] = fill
				}
			}
		}
	}
	return texts
}

// HasScripts tells whether files in a language have <script> elements that are read.
func HasScripts(language string) bool { return slices.Contains(withScripts, language) }

// withScripts are the languages whose <script> elements are read.
var withScripts = []string{"html", "jinja", "twig", "erb", "ejs", "handlebars", "jsp", "template", "vue", "svelte", "astro",
	"freemarker", "razor", "eex"}
