package extract

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// marks end an answer in few-shot prompts.
var marks = []string{"[DONE]", "[BEGIN]", "[END]", "[/PYTHON]", "[PYTHON]", "[/CODE]"}

// cutMark cuts a text at the first line that is only a mark; one that it begins with is left out.
func cutMark(text string) (string, bool) {
	cut := false
	for _, m := range marks {
		if rest, ok := strings.CutPrefix(strings.TrimLeft(text, " \n"), m); ok && (m == "[BEGIN]" || m == "[PYTHON]") {
			text, cut = strings.TrimPrefix(rest, "\n"), true
		}
	}
	at := 0
	for line := range strings.Lines(text) {
		for _, m := range marks {
			if strings.TrimRight(line, " \t\n") == m {
				return text[:at], true
			}
		}
		at += len(line)
	}
	if rest, ok := strings.CutSuffix(strings.TrimRight(text, " \t\n"), "[DONE]"); ok { // at the end of the last line
		return rest + "\n", true
	}
	return text, cut
}

// completion reads a text that continues the prefix, or a few-shot prompt.
func (r *reading) completion(reply string) (Extraction, error) {
	text, marked := cutMark(reply)
	if strings.TrimSpace(text) == "" {
		return Extraction{Path: PathEmpty, Steps: []string{StepMark}}, nil
	}
	read := r.program
	if r.t.Prefix != "" {
		read = r.continued
	}
	f, err := r.cutSpecial(text, read)
	if err != nil {
		return Extraction{}, err
	}
	if marked {
		f.steps = append(f.steps, StepMark)
	}
	return r.finish(f)
}

// continued reads what follows a prefix: the rest of its function, or the function all over again.
func (r *reading) continued(text string) (found, error) {
	f, err := r.continuation(text)
	if err != nil || f.good {
		return f, err
	}
	whole, err := r.ladder(text) // prose and fences in spite of all
	if err != nil {
		return f, err
	}
	if whole.good && whole.m.defines(r.t.Entry) {
		if whole.path == PathRaw || whole.path == PathSpan {
			whole.path = PathRestated
		}
		return whole, nil
	}
	return f, nil
}

// continuation reads a text as the rest of the prefix's function, mending nothing but indentation that was lost at its
// beginning.
func (r *reading) continuation(text string) (found, error) {
	plain, err := r.parse(r.t.Prefix + text)
	if err != nil {
		return found{}, err
	}
	if r.good(plain) && r.restates(plain) {
		return found{m: plain, path: PathRestated, good: true}, nil
	}
	if f, err := r.body(plain, text); err != nil || f.good {
		return f, err
	}
	if len(text) > largeBody {
		return found{m: plain, path: PathContinuation}, nil
	}
	var less found // that leaves something out
	for _, c := range []string{firstIndented(text), allIndented(text)} {
		if c == "" {
			continue
		}
		m, err := r.parse(r.t.Prefix + c)
		if err != nil {
			return found{}, err
		}
		f, err := r.body(m, c)
		if err != nil {
			return f, err
		}
		if !f.good {
			continue
		}
		left := len(f.steps) > 0
		f.steps = append(f.steps, StepIndented)
		if !left {
			return f, nil
		}
		if !less.good {
			less = f
		}
	}
	if less.good {
		return less, nil
	}
	return found{m: plain, path: PathContinuation}, nil
}

// restates says whether the top level defines the entry point more than once: the text does it again.
func (r *reading) restates(m *module) bool {
	n := 0
	for _, d := range m.definitions() {
		if d.name == r.t.Entry && d.function.Valid() {
			n++
		}
	}
	return n > 1
}

// largeBody is more than any function has, in bytes: indentation is not looked for in it.
const largeBody = 64 << 10

// body reads a text, m with its prefix, that begins with the rest of the function; what follows at the margin is kept as
// far as it is code.
func (r *reading) body(m *module, text string) (found, error) {
	if r.good(m) && !r.nextTask(m) {
		return found{m: m, path: PathContinuation, good: true}, nil
	}
	all := pieces("x\n" + text) // the first piece then is what belongs to the function
	body := strings.TrimPrefix(all[0], "x\n")
	if strings.TrimSpace(body) == "" {
		return found{m: m, path: PathContinuation}, nil
	}
	for n := 1; n <= min(len(all), 8); n++ { // a string may have lines at the margin
		if n > 1 {
			body += all[n-1]
		}
		head, err := r.parse(r.t.Prefix + body)
		if err != nil {
			return found{}, err
		}
		if !r.good(head) {
			continue
		}
		rest, err := r.x.salvage(r.ctx, strings.Join(all[n:], ""), true)
		if err != nil {
			return found{}, err
		}
		if !strings.HasSuffix(body, "\n") {
			body += "\n"
		}
		whole, err := r.parse(r.t.Prefix + body + rest)
		if err != nil {
			return found{}, err
		}
		if !r.good(whole) {
			whole = head
		}
		return found{m: whole, path: PathContinuation, steps: []string{StepAfter}, good: true}, nil
	}
	return found{m: m, path: PathContinuation}, nil
}

// nextTask says whether a bare string stands at the top level behind the entry point: base models continue with another
// task of the few-shot kind.
func (r *reading) nextTask(m *module) bool {
	all := m.definitions()
	at := slices.IndexFunc(all, func(d definition) bool { return d.name == r.t.Entry })
	return at >= 0 && slices.ContainsFunc(m.stmts, func(s syntax.Node) bool {
		return s.Start() > all[at].node.Start() && s.Kind() == "expression_statement" && s.NamedChild(0).Kind() == "string"
	})
}

// program reads a completion that is a whole program, with whatever a base model wrote after it.
func (r *reading) program(text string) (found, error) {
	m, err := r.parse(text)
	if err != nil {
		return found{}, err
	}
	if r.good(m) && !r.nextTask(m) {
		return found{m: m, path: PathRaw, good: true}, nil
	}
	if before, _, fenced := strings.Cut("\n"+text, "\n```"); fenced && strings.TrimSpace(before) != "" {
		// The prompt had opened the fence that this one closes.
		m, err := r.parse(strings.TrimPrefix(before, "\n") + "\n")
		if err != nil {
			return found{}, err
		}
		if r.good(m) && !r.nextTask(m) {
			return found{m: m, path: PathRaw, steps: []string{StepAfter}, good: true}, nil
		}
	}
	if strings.Contains(text, "```") || r.t.Entry == "" {
		return r.ladder(text)
	}
	code, err := r.x.salvage(r.ctx, text, true)
	if err != nil {
		return found{}, err
	}
	head, err := r.parse(code)
	if err != nil {
		return found{}, err
	}
	if r.good(head) {
		return found{m: head, path: PathSpan, steps: []string{StepAfter}, good: true}, nil
	}
	return r.ladder(text)
}

// firstIndented gives the first line of code the indentation of a function's body when it has less and the lines after
// it do not; "" when that is not so.
func firstIndented(text string) string {
	start := len(text) - len(strings.TrimLeft(text, " \t\n"))
	start = strings.LastIndexByte(text[:start], '\n') + 1
	line, rest, _ := strings.Cut(text[start:], "\n")
	if indent(line) >= 4 || strings.TrimSpace(line) == "" {
		return ""
	}
	for l := range strings.Lines(rest) {
		if strings.TrimSpace(l) != "" {
			if indent(l) == 0 { // all of it may be at the margin, or the body is this line
				break
			}
			if indent(l) < 4 {
				return ""
			}
			break
		}
	}
	return text[:start] + "    " + strings.TrimLeft(line, " ") + "\n" + rest
}

// allIndented indents a body that stands at the margin; "" for any other.
func allIndented(text string) string {
	first := strings.TrimLeft(text, "\n")
	if first == "" || indent(first) != 0 || strings.HasPrefix(first, "def ") || strings.HasPrefix(first, "class ") {
		return ""
	}
	var b strings.Builder
	for l := range strings.Lines(text) {
		if strings.TrimSpace(l) != "" {
			b.WriteString("    ")
		}
		b.WriteString(l)
	}
	return b.String()
}

// indent is how many blanks a line begins with; a tab counts as eight.
func indent(line string) int {
	n := 0
	for _, c := range []byte(line) {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		default:
			return n
		}
	}
	return n
}
