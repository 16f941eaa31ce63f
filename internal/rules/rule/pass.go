package rule

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/flow"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

const (
	evidenceLines = 3
	writtenBytes  = 10_000 // nobody wrote a longer line, or would change it
	evidenceBytes = 300    // a longer line is minified code; the node's own text says more
)

// File is one file with an index of its nodes, shared by all rules that run over it. It is not safe for concurrent use.
type File struct {
	Path     string
	Language string
	Tree     *syntax.Tree // nil for a language without a grammar, whose rules read Lines

	grammar *grammar
	kinds   map[string][]syntax.Node
	lines   []string
	memo    map[fact]any
	inTest  bool
	flows   *flow.Result // nil where nobody followed the values
}

// NewFile indexes tree, the syntax tree of src, the text of the file at path. A language without a grammar has no tree.
func NewFile(path, language string, src []byte, tree *syntax.Tree) *File {
	role := codebase.RoleIn(path, language, src)
	f := &File{
		Path: path, Language: language, Tree: tree,
		grammar: grammarOf(language),
		kinds:   map[string][]syntax.Node{},
		lines:   strings.Split(string(src), "\n"),
		memo:    map[fact]any{},
		inTest:  role == codebase.Test || role == codebase.Example,
	}
	if tree == nil {
		return f
	}
	tree.Root().Walk(func(n syntax.Node) bool {
		if n.Named() {
			k := n.Kind()
			f.kinds[k] = append(f.kinds[k], n)
		}
		return true
	})
	return f
}

// Run runs one rule over the file. A panic in the rule becomes an error; the matches made before it are kept.
func (f *File) Run(r *Rule) (matches []Match, err error) {
	if f.inTest && r.InTests == SkipInTests {
		return nil, nil
	}
	p := &Pass{File: f, rule: r, seen: map[[2]int]bool{}}
	defer func() {
		matches = p.matches
		if v := recover(); v != nil {
			err = fmt.Errorf("rule %s on %s: panic: %v", r.ID, f.Path, v)
		}
	}()
	r.Check(p)
	return p.matches, nil
}

// Pass is one run of one rule over one file. Path, Language and Tree are those of the file.
type Pass struct {
	*File
	rule    *Rule
	matches []Match
	seen    map[[2]int]bool
}

// Report records that the rule fires at n. detail adds what is particular to this place, "" adds nothing. A second
// report on the same lines is dropped.
func (p *Pass) Report(n syntax.Node, detail string) { p.ReportAs(n, p.rule.Severity, detail) }

// ReportWhere reports those of the nodes for which holds, without a detail.
func (p *Pass) ReportWhere(nodes []syntax.Node, holds func(syntax.Node) bool) {
	for _, n := range nodes {
		if holds(n) {
			p.Report(n, "")
		}
	}
}

// ReportAs is Report with a severity that differs from the rule's own.
func (p *Pass) ReportAs(n syntax.Node, severity, detail string) {
	p.report(n.Line(), n.EndLine(), severity, detail, p.evidence(n))
}

// Follow tells the file where untrusted values go.
func (f *File) Follow(flows *flow.Result) { f.flows = flows }

// Failed is why the values of the file were not all followed, nil where they were.
func (f *File) Failed() error {
	if f.flows == nil {
		return nil
	}
	return f.flows.Failed[f.Path]
}

// Untrusted tells whether n, or something in it, is a value that comes from outside.
func (p *Pass) Untrusted(n syntax.Node) bool {
	return n.Valid() && p.flows != nil && Within(n, p.flows.Untrusted)
}

// ReportFlows reports the untrusted values that do harm of a kind of model.Names in the file. Where one surely comes from outside and
// runs as a program, it is critical; where it is a parameter that nobody is known to call with one, it is medium at most.
func (p *Pass) ReportFlows(kinds ...string) {
	if p.flows == nil {
		return
	}
	for _, h := range p.flows.Hits {
		if h.File != p.Path || !OneOf(h.Kind, kinds...) {
			continue
		}
		severity, detail := p.rule.Severity, ""
		switch first := h.Path[0]; {
		case h.Param:
			detail = "through a parameter"
			if taxonomy.Rank(severity) > taxonomy.Rank("medium") {
				severity = "medium"
			}
		case first.File != p.Path:
			detail = "from " + first.File + ":" + strconv.Itoa(first.Line)
		case first.Line != h.Node.Line():
			detail = "from line " + strconv.Itoa(first.Line)
		}
		if !h.Param && OneOf(h.Kind, "sql", "command", "code", "deserialization", "template", "include") {
			severity = "critical"
		}
		before := len(p.matches)
		p.ReportAs(h.Node, severity, detail)
		if len(p.matches) > before {
			p.matches[before].Path = h.Path
		}
	}
}

// ReportLine is Report at one line, 1-based, of a file that is read as text.
func (p *Pass) ReportLine(line int, detail string) { p.ReportLineAs(line, p.rule.Severity, detail) }

// ReportLineAs is ReportLine with a severity that differs from the rule's own.
func (p *Pass) ReportLineAs(line int, severity, detail string) {
	if line < 1 || line > len(p.lines) {
		return
	}
	evidence := strings.TrimSpace(p.lines[line-1])
	if len(evidence) > evidenceBytes {
		evidence = strings.TrimSpace(strings.ToValidUTF8(evidence[:evidenceBytes], ""))
	}
	p.report(line, line, severity, detail, evidence)
}

// Lines gives the file's lines without their line breaks. The slice is shared and must not be changed.
func (p *Pass) Lines() []string { return p.lines }

func (p *Pass) report(line, end int, severity, detail, evidence string) {
	span := [2]int{line, end}
	if p.seen[span] || len(p.lines[line-1]) > writtenBytes {
		return
	}
	p.seen[span] = true
	if p.inTest && p.rule.InTests == LowerInTests {
		if severity = taxonomy.Milder(severity); taxonomy.Rank(severity) < taxonomy.Rank("medium") {
			return // in a test or an example hardly anybody would act on it
		}
	}
	r := p.rule
	p.matches = append(p.matches, Match{
		Rule: r.ID, Title: r.Title, Detail: brief(detail), Severity: severity, Category: r.Category, CWE: r.CWE,
		Confidence: r.Confidence, Line: line, EndLine: end, Evidence: evidence,
		Explanation: r.Explanation, Suggestion: r.Suggestion,
	})
}

// brief makes one short line of a detail, which may quote source text of any length.
func brief(detail string) string {
	detail = strings.Join(strings.Fields(detail), " ")
	const most = 100
	if len(detail) <= most {
		return detail
	}
	cut := detail[:most]
	for !utf8.ValidString(cut) {
		cut = cut[:len(cut)-1]
	}
	return cut + "..."
}

// evidence is the first whole lines of n, without the indentation before n's first line.
func (p *Pass) evidence(n syntax.Node) string {
	first := n.Line() - 1
	last := min(n.EndLine()-1, first+evidenceLines-1, len(p.lines)-1)
	if first < 0 || first > last {
		return ""
	}
	text := strings.TrimSpace(strings.Join(p.lines[first:last+1], "\n"))
	if len(text) <= evidenceBytes {
		return text
	}
	text = n.Text()
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	if len(text) > evidenceBytes {
		text = text[:evidenceBytes]
		for len(text) > 0 && !utf8.ValidString(text) {
			text = text[:len(text)-1]
		}
	}
	return strings.TrimSpace(text)
}

// Nodes gives every node of the file that is of one of the kinds: kind by kind, each kind in source order. The slice is
// shared and must not be changed.
func (p *Pass) Nodes(kinds ...string) []syntax.Node {
	if len(kinds) == 1 {
		return p.kinds[kinds[0]]
	}
	var all []syntax.Node
	for _, k := range kinds {
		all = append(all, p.kinds[k]...)
	}
	return all
}

// InTest tells whether the file is a test, an example, a fixture or a benchmark, judged by its path and its text.
func (p *Pass) InTest() bool { return p.inTest }

// InFixture tells whether tests read the file as data: it may be wrong on purpose.
func (p *Pass) InFixture() bool { return codebase.IsFixture(p.Path) }

// Memo computes a value once a file: rules that need the same fact (say, the import table) share it under key.
func Memo[T any](p *Pass, key string, compute func() T) T {
	return MemoOf(p, key, syntax.Node{}, compute)
}

// MemoOf is Memo for a fact about one node of the file.
func MemoOf[T any](p *Pass, key string, n syntax.Node, compute func() T) T {
	fact := fact{key, n}
	if v, ok := p.memo[fact]; ok {
		return v.(T)
	}
	v := compute()
	p.memo[fact] = v
	return v
}

// fact names what is computed once a file.
type fact struct {
	key string
	of  syntax.Node
}
