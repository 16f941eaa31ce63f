package rule

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/ambiguity"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// pattern is a regular expression that stands in the file.
type pattern struct {
	node    syntax.Node // the literal
	whole   syntax.Node // the literal, or the call that compiles it
	text    string
	flags   ambiguity.Flags
	dialect ambiguity.Dialect
	use     *patternUse // where the call that compiles it also matches
}

// patternUse is a place where an expression is matched with a subject.
type patternUse struct {
	subject syntax.Node
	mode    ambiguity.Mode
}

var pythonMatch = regexp.MustCompile(`^re\.(compile|match|search|fullmatch|findall|finditer|sub|subn|split)$`)

// patterns gives the expressions of the file.
func (p *Pass) patterns() []pattern {
	var all []pattern
	switch p.Language {
	case "python":
		for _, call := range p.Calls() {
			if pythonMatch.MatchString(p.Callee(call)) {
				all = p.addPattern(all, ambiguity.Python, call, 0, pythonFlags(call))
			}
		}
	case "javascript", "typescript", "tsx", "ruby":
		dialect := ambiguity.JavaScript
		if p.Language == "ruby" {
			dialect = ambiguity.Ruby
		}
		for _, n := range p.Nodes("regex") {
			text := n.Text()
			end := strings.LastIndexByte(text, '/')
			if !strings.HasPrefix(text, "/") || end < 1 || n.Has("interpolation") {
				continue
			}
			all = append(all, pattern{node: n, whole: n, text: text[1:end], dialect: dialect, flags: flagsOf(text[end+1:], dialect)})
		}
		for _, call := range p.News() {
			if dialect == ambiguity.JavaScript && p.Callee(call) == "RegExp" {
				flags, _, _ := p.String(p.Arg(call, 1))
				all = p.addPattern(all, dialect, call, 0, flagsOf(flags, dialect))
			}
		}
	case "java":
		for _, call := range p.Calls() {
			switch callee := p.Callee(call); {
			case OneOf(callee, "Pattern.compile", "Pattern.matches"):
				all = p.addPattern(all, ambiguity.Java, call, 0, javaFlags(call))
			case OneOf(LastName(callee), "matches", "replaceAll", "replaceFirst", "split"):
				all = p.addPattern(all, ambiguity.Java, call, 0, ambiguity.Flags{})
			}
		}
	case "php":
		for _, call := range p.Calls() {
			if OneOf(p.Callee(call), "preg_match", "preg_match_all", "preg_replace", "preg_replace_callback", "preg_split") {
				all = p.addPattern(all, ambiguity.PCRE, call, 0, ambiguity.Flags{})
			}
		}
	}
	return all
}

func (p *Pass) addPattern(all []pattern, d ambiguity.Dialect, call syntax.Node, at int, f ambiguity.Flags) []pattern {
	arg := p.Arg(call, at)
	if p.IsName(arg) {
		arg = Memo(p, "rule.givenOnce", p.givenOnce)[arg.Text()]
	}
	if !arg.Valid() {
		return all
	}
	text, ok := p.Literal(arg)
	if !ok {
		return all
	}
	if d == ambiguity.PCRE {
		if text, f, ok = delimited(text); !ok {
			return all
		}
	}
	return append(all, pattern{node: arg, whole: call, text: text, dialect: d, flags: f, use: p.usedIn(call)})
}

// givenOnce is what the file's variables hold that are given a value once.
func (p *Pass) givenOnce() map[string]syntax.Node {
	values, times := map[string]syntax.Node{}, map[string]int{}
	for _, a := range p.Assignments(p.Tree.Root()) {
		name := a.Target.Text()
		if times[name]++; times[name] > 1 || a.Augmented {
			delete(values, name)
			continue
		}
		values[name] = a.Value
	}
	return values
}

// usedIn is what a call that is given an expression matches it with, nil where it only compiles it.
func (p *Pass) usedIn(call syntax.Node) *patternUse {
	callee := p.Callee(call)
	method := LastName(callee)
	mode := modeOf(method)
	switch {
	case method == "compile" || method == "RegExp":
		return nil
	case p.Language == "python" && OneOf(method, "sub", "subn"), OneOf(method, "preg_replace", "preg_replace_callback"):
		return &patternUse{p.Arg(call, 2), mode}
	case p.Language == "python" || p.Language == "php":
		return &patternUse{p.Arg(call, 1), mode}
	case callee == "Pattern.matches":
		return &patternUse{p.Arg(call, 1), ambiguity.Full}
	case p.Language == "java" && method == "matches":
		return &patternUse{p.receiver(call), ambiguity.Full}
	}
	return &patternUse{p.receiver(call), mode}
}

func modeOf(method string) ambiguity.Mode {
	switch method {
	case "match":
		return ambiguity.Prefix
	case "fullmatch":
		return ambiguity.Full
	}
	return ambiguity.Search
}

// patternCalls are the calls of the file by the last name of what they are called on, and by the names that they are given.
type patternCalls struct{ on, given map[string][]syntax.Node }

var matching = []string{"match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split", "test", "exec", "replace",
	"replaceAll", "matchAll", "matcher", "match?", "scan", "gsub", "gsub!", "sub!", "=~", "===", "slice", "matches", "find"}

// matchedWith gives the places where an expression is matched; none where they are not in the file.
func (p *Pass) matchedWith(x pattern) []patternUse {
	if x.use != nil {
		return []patternUse{*x.use}
	}
	if use, ok := p.useAt(x.whole); ok {
		return []patternUse{use}
	}
	name := ""
	for at, up := x.whole, x.whole.Parent(); up.Valid() && name == ""; at, up = up, up.Parent() {
		if f, ok := p.grammar.assigns[up.Kind()]; ok {
			if up.ChildByField(f[1]) == at {
				name = LastName(p.Dotted(up.ChildByField(f[0])))
			}
			break
		}
		if !OneOf(up.Kind(), "member_expression", "call", "call_expression", "method_invocation", "parenthesized_expression") {
			break
		}
	}
	if name == "" || name == "?" {
		return nil
	}
	calls := Memo(p, "rule.patternCalls", p.patternCalls)
	var all []patternUse
	for _, call := range firsts(calls.on[name]) {
		all = append(all, patternUse{p.Arg(call, 0), p.compiledMode(call)})
	}
	for _, call := range firsts(calls.given[name]) {
		all = append(all, patternUse{p.receiver(call), ambiguity.Search})
	}
	return all
}

// firsts are so many of the calls as one expression is looked at for.
func firsts(calls []syntax.Node) []syntax.Node { return calls[:min(len(calls), 20)] }

func (p *Pass) patternCalls() patternCalls {
	c := patternCalls{map[string][]syntax.Node{}, map[string][]syntax.Node{}}
	for _, call := range p.Calls() {
		callee := p.Callee(call)
		if !slices.Contains(matching, LastName(callee)) {
			continue
		}
		if on := strings.TrimSuffix(callee, "."+LastName(callee)); on != callee {
			c.on[LastName(on)] = append(c.on[LastName(on)], call)
		}
		if arg := p.Arg(call, 0); arg.Valid() && p.Language != "python" && p.Language != "java" {
			name := LastName(p.Dotted(arg))
			c.given[name] = append(c.given[name], call)
		}
	}
	return c
}

// compiledMode is the mode of a call on a compiled expression.
func (p *Pass) compiledMode(call syntax.Node) ambiguity.Mode {
	switch p.Language {
	case "python":
		return modeOf(p.Method(call))
	case "java":
		switch up := call.Parent(); up.ChildByField("name").Text() {
		case "matches":
			return ambiguity.Full
		case "lookingAt":
			return ambiguity.Prefix
		}
	}
	return ambiguity.Search
}

// useAt is the use of an expression that stands in the call itself: /a/.test(s), s.match(/a/), s =~ /a/.
func (p *Pass) useAt(n syntax.Node) (patternUse, bool) {
	up := n.Parent()
	switch {
	case up.Operator() == "=~":
		return patternUse{Either(other(up, n), n), ambiguity.Search}, true
	case p.IsCall(up) && p.receiver(up) == n && slices.Contains(matching, p.Method(up)): // Ruby and Java
		return patternUse{p.Arg(up, 0), p.compiledMode(up)}, true
	case p.IsCall(up.Parent()) && p.receiver(up.Parent()) == n && slices.Contains(matching, p.Method(up.Parent())):
		return patternUse{p.Arg(up.Parent(), 0), p.compiledMode(up.Parent())}, true
	case p.IsCall(up.Parent()) && p.Arg(up.Parent(), 0) == n && slices.Contains(matching, p.Method(up.Parent())):
		return patternUse{p.receiver(up.Parent()), ambiguity.Search}, true
	}
	return patternUse{}, false
}

func other(operation, side syntax.Node) syntax.Node {
	if left := operation.ChildByField("left"); left != side {
		return left
	}
	return operation.ChildByField("right")
}
