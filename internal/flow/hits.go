package flow

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

type hitKey struct {
	kind model.Kinds
	file *ir.File
	node syntax.Node
}

// found is what was found of one sink.
type found struct {
	hitKey
	what   string
	source *label // an untrusted value that reaches it
	param  *label // a parameter that does, and says enough by itself
}

// step is a place of the file at hand.
func (f *frame) step(x *ir.Expr) step { return step{f.file.Path, x.Node} }

// entry is the place where a value enters; the same one for the same expression.
func (e *engine) entry(file *ir.File, x *ir.Expr) *step {
	if e.entries == nil {
		e.entries = map[syntax.Node]*step{}
	}
	s := e.entries[x.Node]
	if s == nil {
		s = &step{file.Path, x.Node}
		e.entries[x.Node] = s
	}
	return s
}

func (t *trail) steps() []step {
	var list []step
	for at := t; at != nil; at = at.before {
		list = append(list, at.step)
	}
	slices.Reverse(list)
	return list
}

func (t *trail) length() int {
	if t == nil {
		return 0
	}
	return t.n
}

func (e *engine) hit(key hitKey, what string) *found {
	h := e.found[key]
	if h == nil {
		h = &found{hitKey: key, what: what}
		e.found[key] = h
	}
	return h
}

// hits are what was found, in order.
func (e *engine) hits() []Hit {
	var list []Hit
	for key, h := range e.found {
		l := h.source
		if l == nil {
			l = h.param
		}
		if l == nil {
			continue
		}
		path := l.trail.steps()
		files := filesOf(path, key.file.Path)
		if files > maxFilesOfPHP && key.file.Language == "php" && e.throughMethods(path) {
			continue
		}
		if files > maxFiles || callable(key, h.what) && (files > 1 || !together(key, path)) {
			continue
		}
		if k := len(path) - 1; k < 1 || path[k].line() != key.node.Line() || path[k].file != key.file.Path {
			path = append(path, step{key.file.Path, key.node})
		}
		hit := Hit{Kind: key.kind.String(), File: key.file.Path, Node: key.node, What: h.what, Param: h.source == nil}
		for i, s := range path {
			hit.Path = append(hit.Path, runfile.Step{File: s.file, Line: s.line(), Text: s.text(), Kind: kindOf(i, len(path))})
		}
		list = append(list, hit)
	}
	slices.SortFunc(list, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Node.Start(), b.Node.Start()), cmp.Compare(a.Kind, b.Kind))
	})
	return list
}

// maxFiles bounds the files that a path leads through: one through more is more likely put together from names that are alike. PHP,
// whose objects hand everything through the fields of a few others, says least of what a method is given.
const (
	maxFiles      = 4
	maxFilesOfPHP = 2
)

// throughMethods reports a path of which a step stands in a method.
func (e *engine) throughMethods(path []step) bool {
	return slices.ContainsFunc(path, func(s step) bool {
		fn := around(e.byPath[s.file], s.node)
		return fn != nil && fn.Class != ""
	})
}

// around is the innermost function that a node stands in, nil for none that has a name.
func around(file *ir.File, n syntax.Node) *ir.Func {
	for _, fn := range slices.Backward(file.Funcs) { // the innermost is the last
		if fn.Name != "" && fn.Node.Start() <= n.Start() && n.End() <= fn.Node.End() {
			return fn
		}
	}
	return nil
}

// filesOf counts the files of a path and its end.
func filesOf(path []step, end string) int {
	files := map[string]bool{end: true}
	for _, s := range path {
		files[s.file] = true
	}
	return len(files)
}

// callable reports a function of PHP that is called by its name: what other functions hand in is hardly ever a text of a request.
func callable(key hitKey, what string) bool {
	return key.file.Language == "php" && key.kind.String() == "code" &&
		(strings.HasPrefix(what, "$") || strings.HasPrefix(what, "call_user_func"))
}

// together tells whether a path begins in the function that it ends in.
func together(key hitKey, path []step) bool {
	for _, fn := range slices.Backward(key.file.Funcs) { // the innermost is the last
		if fn.Node.Start() <= key.node.Start() && key.node.End() <= fn.Node.End() {
			return len(path) > 0 && fn.Node.Start() <= path[0].node.Start() && path[0].node.End() <= fn.Node.End()
		}
	}
	return true
}

func kindOf(i, n int) string {
	switch i {
	case 0:
		return "source"
	case n - 1:
		return "sink"
	}
	return "step"
}

// text is the line where a step begins, without the spaces around it.
func (s step) text() string {
	src := s.node.Tree().Source()
	from := bytes.LastIndexByte(src[:s.node.Start()], '\n') + 1
	text := src[from:]
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	text = bytes.TrimSpace(text)
	if len(text) > maxText {
		return strings.ToValidUTF8(string(text[:maxText]), "") + "..."
	}
	return string(text)
}

const maxText = 160
