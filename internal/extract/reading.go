package extract

import (
	"context"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// reading is one reply being read.
type reading struct {
	x   *Extractor
	ctx context.Context
	t   dataset.Task
}

// found is code that a rung gave, not yet relieved of its own tests.
type found struct {
	m     *module
	path  Path
	steps []string
	// good says that it is a program with the entry point.
	good bool
}

func (r *reading) parse(src string) (*module, error) { return r.x.parse(r.ctx, src) }

// good says whether a module is a program that can be judged.
func (r *reading) good(m *module) bool {
	return m.clean && (r.t.Entry == "" && len(m.stmts) > 0 || r.t.Entry != "" && m.defines(r.t.Entry))
}

// finish takes the program's own tests away, and gives it what it uses of the task's prefix.
func (r *reading) finish(f found) (Extraction, error) {
	e := Extraction{Code: f.m.src, Path: f.path, Steps: f.steps}
	if !f.good {
		return e, nil
	}
	m := f.m
	if tests := m.own(r.t.Entry); len(tests) > 0 {
		less, err := r.parse(m.without(tests))
		if err != nil {
			return e, err
		}
		if r.good(less) {
			m = less
			e.Code, e.Steps = less.src, append(e.Steps, StepOwn)
		}
	}
	if f.path != PathContinuation && r.t.Preamble != "" {
		missing, err := r.lacks(m)
		if err != nil {
			return e, err
		}
		if missing {
			e.Code, e.Steps = m.behindFuture(r.t.Preamble), append(e.Steps, StepPreamble)
		}
	}
	return e, nil
}

// lacks says whether a program uses a name that it does not have but the task's preamble does.
func (r *reading) lacks(m *module) (bool, error) {
	preamble, err := r.parse(r.t.Preamble)
	if err != nil {
		return false, err
	}
	used := uses(m.root)
	return slices.ContainsFunc(preamble.definitions(), func(d definition) bool { return used[d.name] && !m.defines(d.name) }), nil
}

// behindFuture puts text at the beginning of a program, but behind its imports from __future__.
func (m *module) behindFuture(text string) string {
	at := 0
	for _, s := range m.stmts {
		if s.Kind() == "future_import_statement" {
			at = s.End()
		}
	}
	if at == 0 {
		return strings.TrimRight(text, "\n") + "\n\n" + m.src
	}
	return m.src[:at] + "\n" + strings.TrimRight(text, "\n") + "\n" + m.src[at:]
}

// cutSpecial reads a text up to its first special token, and whole where that is better: a token that stands in a string
// of a program is no end.
func (r *reading) cutSpecial(text string, read func(string) (found, error)) (found, error) {
	at, token := SpecialToken(text)
	if at < 0 {
		return read(text)
	}
	whole, err := read(text)
	if err != nil || whole.good && strings.Contains(whole.m.src, token) {
		return whole, err
	}
	var less found
	if strings.TrimSpace(text[:at]) == "" {
		less = found{m: &module{}, path: PathEmpty}
	} else if less, err = read(text[:at]); err != nil {
		return less, err
	}
	if less.good || !whole.good {
		less.steps = append(less.steps, StepSpecial)
		return less, nil
	}
	return whole, nil
}

// chat reads an answer to an instruction.
func (r *reading) chat(reply string) (Extraction, error) {
	m, err := r.parse(reply)
	if err != nil {
		return Extraction{}, err
	}
	if r.good(m) && (r.t.Entry != "" || !strings.Contains(reply, "```")) {
		return r.finish(found{m: m, path: PathRaw, good: true})
	}
	answer, thought := withoutThinking(reply)
	if strings.TrimSpace(answer) == "" {
		return Extraction{Path: PathEmpty, Steps: []string{StepThinking}}, nil
	}
	f, err := r.cutSpecial(answer, r.ladder)
	if err != nil {
		return Extraction{}, err
	}
	if thought {
		f.steps = append(f.steps, StepThinking)
	}
	return r.finish(f)
}

// withoutThinking removes text in think tags, wherever they are; an unclosed tag makes the rest thinking, and a tag
// that is closed but not opened was opened by the chat template.
func withoutThinking(text string) (string, bool) {
	const begin, end = "<think>", "</think>"
	if i := strings.Index(text, end); i >= 0 && !strings.Contains(text[:i], begin) {
		text = text[i+len(end):]
		rest, _ := withoutThinking(text)
		return rest, true
	}
	before, after, has := strings.Cut(text, begin)
	if !has {
		return text, false
	}
	_, rest, closed := strings.Cut(after, end)
	if !closed {
		return before, true
	}
	rest, _ = withoutThinking(rest)
	return before + rest, true
}

// ladder finds the program in an answer: in a fenced block, in the lines that are code, or nowhere.
func (r *reading) ladder(text string) (found, error) {
	blocks, err := r.blocks(text)
	if err != nil {
		return found{}, err
	}
	if f, err := r.fenced(blocks); err != nil || f.good {
		return f, err
	}
	m, err := r.parse(text)
	if err != nil {
		return found{}, err
	}
	if r.good(m) && len(blocks) == 0 {
		return found{m: m, path: PathRaw, good: true}, nil
	}
	if r.t.Entry != "" {
		span, err := r.x.salvage(r.ctx, text, false)
		if err != nil {
			return found{}, err
		}
		s, err := r.parse(span)
		if err != nil {
			return found{}, err
		}
		if r.good(s) {
			return found{m: s, path: PathSpan, good: true}, nil
		}
		if len(blocks) == 0 && s.clean && len(s.stmts) > 0 && anyFunction(s) { // another name: the verdict will say so
			return found{m: s, path: PathSpan, good: true}, nil
		}
	}
	for _, b := range slices.Backward(blocks) { // no block has the entry point: the last program says best what is wrong
		if b.f.python() && b.m.clean && len(b.m.stmts) > 0 && (anyFunction(b.m) || r.t.Entry == "") {
			return found{m: b.m, path: PathFencedLast, good: true}, nil
		}
	}
	for _, b := range slices.Backward(blocks) {
		if b.f.python() && strings.TrimSpace(b.m.src) != "" {
			return found{m: b.m, path: PathFencedLast}, nil
		}
	}
	return found{m: m, path: PathRaw}, nil
}

func anyFunction(m *module) bool {
	return slices.ContainsFunc(m.definitions(), func(d definition) bool { return d.function.Valid() })
}

// block is a fenced block that was read.
type block struct {
	f fence
	m *module
}

// blocks reads the fenced blocks of a text: each up to the first of its ends where it is a program with the entry point,
// else up to the first where it is a program, else up to the first.
func (r *reading) blocks(text string) ([]block, error) {
	var all []block
	covered := 0
	for _, f := range fences(text) {
		if f.start < covered { // within a docstring of the block before
			continue
		}
		best, end := (*module)(nil), f.closers[0]
		for n := range f.closers {
			m, err := r.parse(f.body(n))
			if err != nil {
				return nil, err
			}
			if r.t.Entry != "" && r.good(m) {
				best, end = m, f.closers[n]
				break
			}
			if best == nil || m.clean && !best.clean {
				best, end = m, f.closers[n]
			}
			if m.clean && r.t.Entry == "" || !f.python() {
				break
			}
			if m.clean && n == 0 && !strings.Contains(m.src, `"""`) && !strings.Contains(m.src, "'''") {
				break // a program without docstrings: no fence can stand in it
			}
		}
		all = append(all, block{f, best})
		covered = end
	}
	return all, nil
}

// fenced takes the last block that defines the entry point, and of other blocks what it uses.
func (r *reading) fenced(blocks []block) (found, error) {
	if r.t.Entry == "" {
		return r.fencedScript(blocks), nil
	}
	at, count := -1, 0
	for i, b := range blocks {
		if r.good(b.m) {
			at, count = i, count+1
		}
	}
	path := PathFencedEntry
	if count > 1 {
		path = PathFencedLast
	}
	if at >= 0 {
		m, joined, err := r.join(blocks, at)
		f := found{m: m, path: path, good: true}
		if joined {
			f.steps = []string{StepJoined}
		}
		return f, err
	}
	for i, b := range slices.Backward(blocks) { // code and talk in one block, or the rest of it cut off
		if b.m.clean || !b.f.python() {
			continue
		}
		span, err := r.x.salvage(r.ctx, b.m.src, false)
		if err != nil {
			return found{}, err
		}
		m, err := r.parse(span)
		if err != nil {
			return found{}, err
		}
		if !r.good(m) {
			continue
		}
		blocks[i].m = m
		m, joined, err := r.join(blocks, i)
		f := found{m: m, path: PathFencedEntry, steps: []string{StepSalvaged}, good: true}
		if joined {
			f.steps = append(f.steps, StepJoined)
		}
		return f, err
	}
	if r.t.Prefix == "" {
		return found{}, nil
	}
	for _, b := range slices.Backward(blocks) { // a function's body alone
		if !b.f.python() || anyFunction(b.m) && b.m.clean {
			continue
		}
		f, err := r.continuation(b.m.src)
		if err != nil {
			return f, err
		}
		if f.good {
			f.steps = append(f.steps, StepContinued)
			return f, nil
		}
	}
	return found{}, nil
}

// fencedScript takes the last program among the blocks: one that says it is Python before one that does not.
func (r *reading) fencedScript(blocks []block) found {
	for _, named := range []bool{true, false} {
		for _, b := range slices.Backward(blocks) {
			if b.m.clean && b.f.python() && b.f.named() == named && len(b.m.stmts) > 0 && (named || worksOn(b.m)) {
				return found{m: b.m, path: PathFencedLast, good: true}
			}
		}
	}
	return found{}
}

// worksOn says whether a program without a name for its language does more than state values: an example's output
// parses as Python, too.
func worksOn(m *module) bool {
	return slices.ContainsFunc(m.stmts, func(s syntax.Node) bool { return kept(s) || len(calls(s)) > 0 })
}

// join puts before a block the other blocks' definitions that it uses and does not have.
func (r *reading) join(blocks []block, at int) (*module, bool, error) {
	m := blocks[at].m
	before := ""
	for range 4 { // what was joined may use more
		used := uses(m.root)
		taken := false
		for i, b := range blocks {
			if i == at || !b.m.clean || !b.f.python() || b.m.defines(r.t.Entry) {
				continue
			}
			for _, s := range b.m.stmts {
				if !gives(s, used, m) || strings.Contains(before, s.Text()) {
					continue
				}
				before += s.Text() + "\n"
				taken = true
			}
		}
		if !taken {
			break
		}
		joined, err := r.parse(blocks[at].m.behindFuture(before))
		if err != nil {
			return m, false, err
		}
		if !r.good(joined) {
			return m, m != blocks[at].m, nil
		}
		m = joined
	}
	return m, m != blocks[at].m, nil
}

// gives says whether a statement defines a name that is used and that m does not define.
func gives(s syntax.Node, used map[string]bool, m *module) bool {
	switch s.Kind() {
	case "function_definition", "class_definition", "decorated_definition", "import_statement", "import_from_statement",
		"expression_statement":
	default:
		return false
	}
	return slices.ContainsFunc(define(nil, s, s), func(d definition) bool { return used[d.name] && !m.defines(d.name) })
}
