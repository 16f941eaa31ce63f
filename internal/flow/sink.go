package flow

import (
	"bytes"
	"cmp"
	"regexp"
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

// sinks looks whether a call does harm with what it is given.
func (f *frame) sinks(c *call) {
	if contentCalls[c.short] {
		f.content(c.args...)
		for _, a := range c.args {
			if a != nil {
				f.content(a.fields["Content-Type"])
			}
		}
	}
	for _, s := range f.table.Sinks(c.full) {
		if !c.meets(s) {
			continue
		}
		for _, at := range s.Args {
			if s.Kind.String() == "trust" && at.Arg == 1 && !privileged(c.first()) {
				continue
			}
			if v, ok := c.arg(at); ok {
				f.harm(s, hitKey{s.Kind, f.file, c.x.Node}, c.full, v, nil, c.x)
			}
		}
	}
}

// meets tells whether a call has the keyword arguments that a sink asks for.
func (c *call) meets(s model.Sink) bool {
	if s.Kind.String() == "xss" {
		for i, n := range c.names {
			if t, ok := c.args[i].text(); ok && contentType[n] && !strings.Contains(t, "html") {
				return false
			}
		}
	}
	if s.If != "" {
		v, ok := c.arg(model.Position{Arg: -100, Name: s.If})
		if text, _ := v.text(); !ok || s.Is != "" && !strings.EqualFold(text, s.Is) {
			return false
		}
	}
	if s.Unless != "" {
		if _, ok := c.arg(model.Position{Arg: -100, Name: s.Unless}); ok {
			return false
		}
	}
	return true
}

var contentType = words(`content_type mimetype media_type contentType type`)

// sinkOfAssignment looks whether an assignment does harm: element.innerHTML = x.
func (f *frame) sinkOfAssignment(target *ir.Expr, v *value) {
	if target.Op == ir.Member && contentCalls[target.Text] || target.Op == ir.Index {
		f.content(v)
	}
	if len(v.taint()) == 0 {
		return
	}
	full := ""
	if target.Op == ir.Member {
		full = f.full(f.eval(target.Args[0]), target.Text)
	} else {
		full = f.eval(target.Args[0]).name() + ".[]"
	}
	for _, s := range f.table.Sinks(full) {
		for _, at := range s.Args {
			switch at.Arg {
			case model.Result:
				if s.Kind.String() == "trust" && (len(target.Args) < 2 || !privileged(f.eval(target.Args[1]))) {
					continue
				}
				f.harm(s, hitKey{s.Kind, f.file, target.Node}, full, v, nil, target)
			case model.Key:
				if len(target.Args) > 1 {
					f.harm(s, hitKey{s.Kind, f.file, target.Node}, full, f.eval(target.Args[1]), nil, target)
				}
			}
		}
	}
}

var textTypes = regexp.MustCompile(`(?i)^\s*(content-type\s*:\s*)?(text/(plain|csv|javascript)|application/|image/|json\b|text$)`)

// content notes what a response is said to hold.
func (f *frame) content(values ...*value) {
	for _, v := range values {
		if s, ok := v.text(); ok && f.env != nil {
			if textTypes.MatchString(s) {
				f.env.set("?plain", nil)
			} else if strings.Contains(s, "html") {
				delete(f.env.vars, "?plain")
			}
		}
	}
}

var contentCalls = words(`setContentType header set type setHeader Header Set contentType content_type ContentType writeHead send_header Type`)

// sniffed reports a Go response that no browser takes for a page: it begins with other text, and nobody said what it is.
func (f *frame) sniffed(v *value) bool {
	if f.file.Language != "go" || v == nil || len(v.pieces) == 0 || v.pieces[0].val != nil {
		return false
	}
	return !strings.Contains(v.pieces[0].lit, "<")
}

// returned looks at what a function gives that a framework sends as a page.
func (f *frame) returned(x *ir.Expr, v *value) {
	if v == nil || v.fields != nil || x == nil {
		return
	}
	if v.isList { // a page, a status and headers
		v = v.item(constant(ir.Number, "0"))
		if v == nil || v.fields != nil || v.isList {
			return
		}
	}
	s := model.Sink{Kind: model.KindOf("xss")}
	f.harm(s, hitKey{s.Kind, f.file, x.Node}, "return", v, nil, x)
}

// springs looks at what a controller's method gives: where to go on, or a page.
func (f *frame) springs(x *ir.Expr, v *value) {
	if v == nil || x == nil || !f.routed() {
		return
	}
	if text := v.literal(); strings.HasPrefix(text, "redirect:\x00") || strings.HasPrefix(text, "redirect:http://\x00") {
		s := model.Sink{Kind: model.KindOf("redirect")}
		f.harm(s, hitKey{s.Kind, f.file, x.Node}, "redirect:", &value{labels: v.taint()}, nil, x)
		return
	}
	body := false
	for _, d := range f.fn.Decorators {
		body = body || callName(d) == "ResponseBody"
	}
	if c := f.file.Classes[f.fn.Class]; c != nil {
		for _, d := range c.Decorators {
			body = body || callName(d) == "RestController"
		}
	}
	if body && f.fn.Result == "String" && strings.Contains(v.literal(), "<") {
		f.returned(x, v)
	}
}

// harm reports what untrusted values a sink is given. after is the path from the function at hand to the sink, and x the sink's
// expression where it stands in this function.
func (f *frame) harm(s model.Sink, key hitKey, what string, v *value, after *trail, x *ir.Expr) {
	if f.e.tests[key.file] {
		return
	}
	if s.Kind.String() == "xss" && f.env != nil {
		if _, plain := f.env.get("?plain"); plain || f.sniffed(v) {
			return
		}
	}
	params := false
	for _, l := range dangerous(s, v) {
		if l.clean&s.Kind != 0 {
			continue
		}
		if l.source == nil {
			params = true
			if s.Exposed && x != nil && l.fn == f.fn && f.plain(l, what) && embedded(s.Kind, v, l) && f.exposed() {
				if h := f.e.hit(key, what); h.param == nil {
					h.param = &l
				}
			}
			continue
		}
		for _, step := range after.steps() {
			l.trail = l.trail.add(step)
		}
		if h := f.e.hit(key, what); h.source == nil || l.trail.length() < h.source.trail.length() {
			h.source = &l
		}
	}
	if !params || len(f.sum.sinks) >= maxReach {
		return
	}
	same := 0
	for _, r := range f.sum.sinks {
		if r.hit == key {
			if same++; same >= maxSame || sameLabels(r.val.taint(), v.taint()) {
				return
			}
		}
	}
	if x != nil {
		after = (*trail)(nil).add(f.step(x))
	}
	f.sum.sinks = append(f.sum.sinks, reach{val: v, sink: s, hit: key, what: what, trail: after})
}

// plain reports a parameter itself, or what belongs to one where that is how it is handed in: the properties of a component.
func (f *frame) plain(l label, what string) bool {
	if l.param == thisParam || l.param == 0 && explicitSelf(f.fn) {
		return false
	}
	return l.fields == "" || strings.HasPrefix(what, "jsx.")
}

// embedded reports a parameter that is put into a text behind something of it, where the text decides what is done; what is run as
// a whole, a function hands on by its contract.
func embedded(kind model.Kinds, v *value, l label) bool {
	switch kind.String() {
	case "deserialization", "template", "xml":
		return true
	}
	if v.isList { // sh -c and its text
		for _, item := range v.list {
			if embedded(kind, item, l) {
				return true
			}
		}
		return false
	}
	before := ""
	for _, p := range v.pieces {
		if p.val == nil {
			before += p.lit
			continue
		}
		if slices.ContainsFunc(p.val.taint(), l.same) {
			switch kind.String() {
			case "xss":
				return strings.Contains(before, "<")
			case "sql":
				return sqlText.MatchString(v.literal()) && !named.MatchString(before)
			}
			return strings.TrimSpace(before) != ""
		}
		before += "\x00"
	}
	return false
}

// Where a statement names a table or the like, the program chooses it.
var named = regexp.MustCompile(`(?i)\b(from|join|into|table|update|index|database|schema|view|as|pragma|exists|by)\s+["\x60\[(]?$`)

func sameLabels(a, b []label) bool {
	return slices.EqualFunc(a, b, func(x, y label) bool { return x.same(y) && x.clean == y.clean })
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

var (
	sqlText = regexp.MustCompile(`(?is)^[\s(\x00]*(select\b.*\bfrom\b|insert\s+(or\s+\w+\s+)?into\b|update\s+\S+\s+set\b|delete\s+from\b|` +
		`from\s+\w+.*\bwhere\b|replace\s+into\b|merge\s+into\b|create\s+(table|database|user|index)\b|drop\s+(table|database|user)\b|` +
		`alter\s+(table|user)\b|exec(ute)?\s+\w+|with\s+\w+\s+as\s*\(|grant\s|call\s+\w+|\{\s*call\s|truncate\s)`)
	fixedHost = regexp.MustCompile(`(?i)^\w+://[^/\x00]+[/?]`)
	whereText = regexp.MustCompile(`(?i)[=<>]\s*['"]?%?$|\b(like|in|where|and|or|by|limit|from)\s*\(?['"]?%?$`)
)

// dangerous are the labels of a value that matter to a sink, by where they stand in its text.
func dangerous(s model.Sink, v *value) []label {
	if v == nil || v.clean {
		return nil
	}
	switch s.Kind.String() {
	case "sql":
		text := v.literal()
		if sqlText.MatchString(text) || whereText.MatchString(strings.SplitN(text, "\x00", 2)[0]) {
			return v.taint()
		}
		if s.Text || strings.Trim(text, "\x00 ") != "" && len(v.labels) == 0 && len(v.pieces) > 0 && v.pieces[0].val == nil {
			return nil
		}
		return sources(v.taint())
	case "command":
		return ofCommand(v)
	case "nosql":
		return ofQuery(v)
	case "ssrf", "redirect":
		if s.Text && !location.MatchString(v.literal()) {
			return nil
		}
		return slices.DeleteFunc(slices.Clone(v.beforePath(s.Kind)), func(l label) bool {
			return l.source != nil && ownPath.MatchString(l.source.node.Text())
		})
	case "path":
		if v.isList || v.fields != nil {
			return nil
		}
		return slices.DeleteFunc(v.taint(), func(l label) bool { // a server cleans the path that it dispatches by
			return l.source != nil && strings.HasSuffix(l.source.node.Text(), ".URL.Path")
		})
	case "xss", "header", "code", "template", "xpath", "ldap":
		if v.fields != nil || v.isList && v.full != "" {
			return nil
		}
		if s.Kind.String() == "code" && s.Text && len(v.pieces) > 0 && v.pieces[0].val == nil {
			return nil // the program chooses what it begins with
		}
		if s.Kind.String() == "xss" {
			return slices.DeleteFunc(v.taint(), func(l label) bool { return l.source != nil && ownAgent.MatchString(l.source.node.Text()) })
		}
	}
	return v.taint()
}

// sources are the labels of values that surely come from outside.
func sources(all []label) []label {
	return slices.DeleteFunc(slices.Clone(all), func(l label) bool { return l.source == nil })
}

// ofCommand are the labels of a command that matter: all of a text; of a list of words the program, or what a shell is given.
func ofCommand(v *value) []label {
	if v.fields != nil {
		return nil
	}
	if !v.isList {
		return append(v.labels[:len(v.labels):len(v.labels)], (&value{pieces: v.pieces}).taint()...)
	}
	var out []label
	program, shell := false, false
	for i, item := range v.list {
		if i == 0 || shell {
			out = merge(out, item.taint())
		}
		for _, w := range item.constants() {
			if i == 0 {
				program = program || shells[lastPart(strings.ReplaceAll(strings.TrimSuffix(w, ".exe"), "/", "."))]
			} else {
				shell = shell || program && slices.Contains([]string{"-c", "/c", "/C", "-Command", "-lc", "-e"}, w)
			}
		}
	}
	return out
}

// Programs that take a program's text as an argument.
var shells = words(`sh bash zsh ksh dash ash cmd powershell pwsh python python3 perl ruby node php`)

var (
	// What a session says of who somebody is, and what they may do.
	privilege = regexp.MustCompile(`(?i)user|role|admin|auth|account|uid|login|owner|tenant|perm|priv|email`)
	// Sources that give objects, where a text is expected: a parsed body, a query with brackets.
	objects = regexp.MustCompile(`\b(body|query|json|get_json)\b|\$_(GET|POST|REQUEST)`)
)

var (
	// What a victim's browser sends by itself, no other site can choose.
	ownAgent = regexp.MustCompile(`HTTP_(USER_AGENT|ACCEPT_LANGUAGE|X_FORWARDED_FOR|CLIENT_IP|COOKIE)`)
	location = regexp.MustCompile(`(?i)^\s*location:\s*`)
	// The address that was asked for begins with a slash: it leads nowhere else.
	ownPath = regexp.MustCompile(`\.(path|full_path|path_info|get_full_path\(?|URL\.Path|originalUrl|fullpath|getRequestURI\(?|getServletPath\(?)\)?$|REQUEST_URI|PHP_SELF`)
)

func privileged(key *value) bool {
	k, ok := key.text()
	return ok && privilege.MatchString(k)
}

// ofQuery are the labels that can change what a document of conditions asks for: those of $where, of the whole document, and of
// values that may be a document themselves.
func ofQuery(v *value) []label {
	out := asObjects(v.labels)
	for _, k := range keys(v.fields) {
		if k == "$where" || k == "$expr" || k == "$function" {
			out = merge(out, v.fields[k].taint())
		} else if x := v.fields[k]; x != nil && len(x.pieces) == 0 {
			out = merge(out, asObjects(x.labels))
		}
	}
	return out
}

// asObjects are the labels of parameters, and of sources that may give more than a text.
func asObjects(all []label) []label {
	return slices.DeleteFunc(slices.Clone(all), func(l label) bool { return l.source != nil && !objects.MatchString(l.source.node.Text()) })
}

// beforePath are the labels that can choose the host of an address, or where a redirect leads.
func (v *value) beforePath(kind model.Kinds) []label {
	if len(v.pieces) == 0 {
		if v.fields != nil {
			return joined(v.fields["url"], joined(v.fields["uri"], joined(v.fields["host"], v.fields["hostname"], 0), 0), 0).taint()
		}
		return v.taint()
	}
	out, before := v.labels, ""
	for _, p := range v.pieces {
		if p.val == nil {
			before += p.lit
			continue
		}
		before = location.ReplaceAllString(before, "")
		if fixedHost.MatchString(before) || len(before) > 1 && before[0] == '/' && before[1] != '/' || strings.HasPrefix(before, "?") {
			break
		}
		if before == "/" && kind.String() == "redirect" || before == "" || strings.HasSuffix(before, "://") || strings.Contains(before, "://") {
			out = merge(out, p.val.taint())
		}
		before += "\x00"
	}
	return out
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
