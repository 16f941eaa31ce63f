package extract

import "strings"

// fence is a fenced block of Markdown.
type fence struct {
	info string // the language, in lower case
	// closers are the ends, as offsets in the text, of what the block may hold: a fence may stand in a docstring of the
	// code. The last is the end of the text where no fence closes it.
	closers []int
	start   int // of the first line in it
	indent  int // of its opening line: list items indent their blocks
	text    string
}

// Bounds of what is looked at: a reply of nothing but fences must not cost more than others do.
const (
	mostFences  = 64
	mostClosers = 8
)

// fences finds the blocks of a text. A block that a later fence may close as well is one block with several ends.
func fences(text string) []fence {
	type mark struct {
		start, end   int // of the line, without its newline
		indent, size int
		char         byte
		info         string
	}
	var marks []mark
	at := 0
	for whole := range strings.Lines(text) {
		line := strings.TrimSuffix(whole, "\n")
		body := strings.TrimLeft(line, " \t>")
		if len(body) >= 3 && (body[0] == '`' || body[0] == '~') {
			size := len(body) - len(strings.TrimLeft(body, body[:1]))
			if info := strings.TrimSpace(body[size:]); size >= 3 && !strings.ContainsRune(info, '`') {
				marks = append(marks, mark{at, at + len(line), len(line) - len(body), size, body[0], strings.ToLower(info)})
			}
		}
		at += len(whole)
	}
	var all []fence
	for i := 0; i < len(marks) && len(all) < mostFences; {
		m := marks[i]
		f := fence{info: m.info, start: min(m.end+1, len(text)), indent: m.indent, text: text}
		next := len(marks)
		for k := i + 1; k < len(marks) && len(f.closers) < mostClosers; k++ {
			c := marks[k]
			if c.char != m.char || c.size < m.size || c.info != "" {
				continue
			}
			if f.closers = append(f.closers, c.start); len(f.closers) == 1 {
				next = k + 1
			}
		}
		if len(f.closers) == 0 {
			f.closers = []int{len(text)}
		}
		all = append(all, f)
		i = next
	}
	return all
}

// python says whether a block may be Python by its language.
func (f fence) python() bool {
	word, _, _ := strings.Cut(strings.NewReplacer("{", " ", "}", " ", ".", " ").Replace(f.info), " ")
	if word == "" {
		word = strings.TrimSpace(strings.Trim(f.info, "{}. "))
	}
	switch word {
	case "", "python", "python3", "py", "py3", "python2", "ipython", "pycon", "code", "text", "plaintext", "tool_code", "repl":
		return true
	}
	return false
}

// named says whether a block says that it is Python.
func (f fence) named() bool { return f.python() && strings.Contains(f.info, "py") }

// body is what the block holds up to its n-th end. The indentation of a list item is removed from each line.
func (f fence) body(n int) string {
	body := f.text[min(f.start, f.closers[n]):f.closers[n]]
	if f.closers[n] == len(f.text) { // never closed, or at the end of a line of code
		if i := strings.Index(body, "```\n"); i >= 0 {
			body = body[:i] + "\n"
		}
		body = strings.TrimSuffix(strings.TrimRight(body, " \t\n"), "```") + "\n"
	}
	if f.indent == 0 {
		return body
	}
	var b strings.Builder
	for line := range strings.Lines(body) {
		n := 0
		for n < f.indent && n < len(line) && (line[n] == ' ' || line[n] == '\t' || line[n] == '>') {
			n++
		}
		b.WriteString(line[n:])
	}
	return b.String()
}
