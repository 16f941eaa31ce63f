package taskset

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// change is the place where a Python program differs from its correction.
type change struct {
	line, end    int // in the program; around the place where statements are missing
	was, becomes string
	category     string
}

// describe says what is wrong, for the truth.
func (c change) describe() string {
	if c.was == "" {
		return fmt.Sprintf("A statement is missing here, and the result is wrong: %s", c.becomes)
	}
	return fmt.Sprintf("The result is wrong or never comes: %s must be %s", c.was, c.becomes)
}

// codeLine is a line of code without its comment.
type codeLine struct {
	number int
	text   string
}

// compare finds where two programs differ. Blank lines, comments and texts at the top level (docstrings) are no
// difference. The change is what remains without the lines that both begin with and both end with; where the program
// has nothing there, statements are missing, and the lines on both sides of the gap are the place.
func compare(program, correction string) (change, error) {
	a, b := codeLines(program), codeLines(correction)
	if len(a) == 0 {
		return change{}, errors.New("the program holds no code")
	}
	head, tail := 0, 0
	for head < min(len(a), len(b)) && a[head].text == b[head].text {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail].text == b[len(b)-1-tail].text {
		tail++
	}
	was, becomes := a[head:len(a)-tail], b[head:len(b)-tail]
	c := change{was: join(was), becomes: join(becomes)}
	switch {
	case len(was) > 0:
		c.line, c.end = was[0].number, was[len(was)-1].number
	case len(becomes) == 0:
		return change{}, errors.New("the program and its correction are the same code")
	default:
		c.line, c.end = a[max(0, head-1)].number, a[min(head, len(a)-1)].number
	}
	c.category = kindOf(c.was, c.becomes)
	return c, nil
}

func join(lines []codeLine) string {
	var texts []string
	for _, l := range lines {
		texts = append(texts, strings.TrimSpace(l.text))
	}
	return strings.Join(texts, "; ")
}

// fence opens and closes a text over several lines.
const fence = `"""`

// codeLines gives the lines of a Python program that are code, without comments and trailing blanks.
func codeLines(program string) []codeLine {
	var lines []codeLine
	inside := false
	number := 0
	for line := range strings.Lines(program) {
		number++
		if inside || strings.HasPrefix(line, fence) {
			fences := strings.Count(line, fence)
			inside = inside == (fences%2 == 0)
			continue
		}
		if text := strings.TrimRight(uncomment(line), " \t\r\n"); text != "" {
			lines = append(lines, codeLine{number, text})
		}
	}
	return lines
}

// uncomment cuts a line at the # outside of quotes.
func uncomment(line string) string {
	var quote byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '#':
			return line[:i]
		}
	}
	return line
}

// token is a word, a number, or an operator of Python.
var token = regexp.MustCompile(`\w+|\*\*|//|[<>=!]=|[^\s\w]`)

// kindOf places a change by its tokens, those left out that both begin with and both end with:
//
//	off-by-one         only + 1 or - 1 comes or goes
//	comparison         both have a comparison there, and it is another one, or one of other operands
//	null-dereference   a question for None comes
//	logic              anything else
func kindOf(was, becomes string) string {
	a, b := token.FindAllString(was, -1), token.FindAllString(becomes, -1)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	switch {
	case len(a) == 0 && isOne(b), len(b) == 0 && isOne(a):
		return "off-by-one"
	case compares(a) && compares(b):
		return "comparison"
	case slices.Contains(b, "None") && !slices.Contains(a, "None"):
		return "null-dereference"
	}
	return "logic"
}

// isOne reports whether tokens are a one and its sign.
func isOne(tokens []string) bool {
	return len(tokens) == 2 && slices.Contains(tokens, "1") && (slices.Contains(tokens, "+") || slices.Contains(tokens, "-"))
}

func compares(tokens []string) bool {
	return slices.ContainsFunc(tokens, func(t string) bool { return slices.Contains([]string{"<", ">", "<=", ">=", "==", "!="}, t) })
}
