package flow

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// plain reports a parameter itself, or what belongs to one where that is how it is handed in: the properties of a component.
func (f *frame) plain(l label, what string) bool {
	if l.param == thisParam || makesObjects.MatchString(f.fn.Name) ||
		l.param == 0 && (explicitSelf(f.fn) || len(f.fn.Params) > 0 && f.fn.Params[0].Name == "self") {
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
			case "code": // a program that writes functions chooses their names
				return strings.TrimSpace(before) != "" && !written.MatchString(before)
			case "xss":
				return strings.Contains(before, "<")
			case "sql":
				return sqlText.MatchString(v.literal()) && !named.MatchString(before) && !placeholder.MatchString(v.literal())
			}
			return strings.TrimSpace(before) != ""
		}
		before += "\x00"
	}
	return false
}

var written = pattern.New(`^\s*(async )?(def|class|lambda|function)\b`)

// Where a statement names a table or the like, the program chooses it.
var named = pattern.New(`(?i)\b(from|join|into|table|update|index|database|schema|view|as|pragma|exists|by)\s+["\x60\[(]?$`)

// Paths of a request without "..": servers take it out before they look who answers.
var servedPath = pattern.New(`\.URL\.Path$|\.(getPathInfo|getServletPath)\(\)$`)

// The address of the page that is shown.
var wholeAddress = pattern.New(`^((window|document)\.)?location(\.href)?$|^document\.URL$|^http\.Request\.URL\.String$`)

// A header that is asked for by its name.
var header = pattern.New(`(?i)\.getHeaders?\("([\w-]+)"\)$`)

// ownHeader reports a header of a name by which browsers send nothing that another site chooses.
func ownHeader(source string) bool {
	m := header.FindStringSubmatch(source)
	return m != nil && knownHeaders[strings.ToLower(m[1])]
}

var knownHeaders = words(`connection accept accept-language accept-encoding accept-charset user-agent host content-type content-length
	authorization cookie upgrade te date via`)

// Addresses of a request as it was sent: browsers write markup in it with per cent signs.
var sentAddress = pattern.New(`\.(getRequestURI|getRequestURL)\(\)$`)

// A value of a statement that is bound: who wrote it knows how, and puts in what is no value, or was escaped.
var placeholder = pattern.New(`[=,(]\s*(\?|%s|:\w+|\$\d)`)

var (
	sqlText = pattern.New(`(?is)^[\s(\x00]*(select\b.*\bfrom\b|insert\s+(or\s+\w+\s+)?into\b|update\s+\S+\s+set\b|delete\s+from\b|` +
		`from\s+\w+.*\bwhere\b|replace\s+into\b|merge\s+into\b|create\s+(table|database|user|index)\b|drop\s+(table|database|user)\b|` +
		`alter\s+(table|user)\b|exec(ute)?\s+\w+|with\s+\w+\s+as\s*\(|grant\s|call\s+\w+|\{\s*call\s|truncate\s)`)
	// The name of a function that says that it makes objects of a text: whoever calls it knows.
	makesObjects = pattern.New(`(?i)de_?seriali[sz]e|unseriali[sz]e|unpickle`)
	fixedHost    = pattern.New(`(?i)^\w+://[^/\x00]+[/?]`)
	filter       = pattern.New(`\(\s*\w+\s*[~<>]?=|(?i)\b(uid|cn|dc|ou|mail)=`)
	whereText    = pattern.New(`(?i)[=<>]\s*['"]?%?$|\b(like|in|where|and|or|by|limit|from)\s*\(?['"]?%?$`)
)

// dangerous are the labels of a value that matter to a sink, by where they stand in its text.
func dangerous(s model.Sink, v *value) []label {
	if v == nil || v.clean {
		return nil
	}
	switch s.Kind.String() {
	case "sql":
		if v.isList { // a condition, and what is put into it
			if len(v.list) == 0 {
				return nil
			}
			return dangerous(s, v.list[0])
		}
		if v.fields != nil { // conditions by name, or a statement with its options
			v = joined(v.fields["sql"], joined(v.fields["query"], v.fields["text"], 0), 0)
			if v == nil {
				return nil
			}
		}
		text := v.literal()
		if address.MatchString(text) {
			return nil
		}
		if v = v.unescaped(); v == nil {
			return nil
		}
		if sqlText.MatchString(text) || whereText.MatchString(strings.SplitN(text, "\x00", 2)[0]) {
			return v.taint()
		}
		if len(v.pieces) == 0 || v.pieces[0].val != nil { // whoever calls may say more
			params := slices.DeleteFunc(v.taint(), func(l label) bool { return l.source != nil })
			if s.Text || len(params) > 0 {
				return params
			}
		}
		if s.Text {
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
		if s.Kind.String() == "redirect" && len(v.pieces) == 0 && wholeAddress.MatchString(v.full) { // where one is already
			return nil
		}
		return slices.DeleteFunc(slices.Clone(v.beforePath(s.Kind)), func(l label) bool {
			if s.Kind.String() == "ssrf" && l.source != nil && inBrowser.MatchString(l.source.node.Text()) {
				return true
			}
			return l.source != nil && (ownPath.MatchString(l.source.node.Text()) || s.Kind.String() == "redirect" && l.source.isOwn())
		})
	case "path":
		if v.isList || v.fields != nil || upload.MatchString(v.full) {
			return nil
		}
		if len(v.pieces) > 0 && address.MatchString(v.pieces[0].lit) {
			return nil
		}
		return slices.DeleteFunc(v.taint(), func(l label) bool { // a server cleans the path that it dispatches by
			return l.source != nil && servedPath.MatchString(l.source.node.Text())
		})
	case "log":
		if v.fields != nil { // a structured entry
			return nil
		}
		return slices.DeleteFunc(v.taint(), ofOneLine)
	case "pollution":
		return asObjects(v.labels)
	case "ldap":
		if s.Text && !filter.MatchString(v.literal()) {
			return nil
		}
		return v.taint()
	case "xss", "header", "code", "template", "xpath":
		if s.Text && s.Kind.String() == "xss" && !strings.Contains(v.literal(), "<") {
			return nil
		}
		if v.isList && s.Kind.String() == "xss" && v.full == "" { // a page, a status and headers
			v = v.item(constant(ir.Number, "0"))
			if v == nil {
				return nil
			}
		}
		if v.fields != nil || v.isList && v.full != "" {
			return nil
		}
		if s.Kind.String() == "code" && s.Text && v.partlyNamed() {
			return nil
		}
		if s.Kind.String() == "header" {
			return slices.DeleteFunc(v.taint(), ofOneLine)
		}
		if s.Kind.String() == "xss" {
			markup := strings.Contains(v.literal(), "<")
			return slices.DeleteFunc(v.taint(), func(l label) bool {
				return l.source != nil && (ownAgent.MatchString(l.source.node.Text()) || ownHeader(l.source.node.Text()) ||
					sentAddress.MatchString(l.source.node.Text()) ||
					l.clean&onlyPages == onlyPages && !markup)
			})
		}
	}
	return v.taint()
}

// partlyNamed reports the name of a method or class of which the program says how it begins or how it ends: few are left to choose from.
func (v *value) partlyNamed() bool {
	if len(v.pieces) == 0 {
		return false
	}
	chosen := func(p piece) bool { return len(p.val.taint()) == 0 }
	first, last := v.pieces[0], v.pieces[len(v.pieces)-1]
	return first.val == nil || (chosen(first) || chosen(last)) && word.MatchString(v.literal())
}

var word = pattern.New(`\w`)

// unescaped is a statement without the escaped texts that stand between quotes, or may do so.
func (v *value) unescaped() *value {
	plain := func(all []label, bare bool) []label {
		return slices.DeleteFunc(slices.Clone(all), func(l label) bool { return l.clean&model.Quoted != 0 && !bare })
	}
	w := *v
	w.labels, w.pieces = plain(v.labels, false), nil
	before := ""
	for _, p := range v.pieces {
		if p.val != nil {
			p.val = &value{labels: plain(p.val.taint(), bareText.MatchString(before))}
		}
		before = p.lit
		w.pieces = append(w.pieces, p)
	}
	return &w
}

// What stands before a value that is surely not quoted.
var bareText = pattern.New(`(?i)[=<>]\s*$|\b(limit|offset|by|between)\s+$`)

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
	for i, item := range v.flat() {
		if item != nil && item.fields != nil { // options
			continue
		}
		if i == 0 || shell || i == 1 && program { // a program, its text, or the file that holds it
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

// flat are the items of a list, and of a list that stands last among them: spawn("sh", ["-c", x]).
func (v *value) flat() []*value {
	for i, item := range v.list {
		if i > 0 && item != nil && item.isList {
			return append(v.list[:i:i], item.list...)
		}
	}
	return v.list
}

// Programs that take a program's text as an argument.
var shells = words(`sh bash zsh ksh dash ash cmd powershell pwsh python python3 perl ruby node php`)

// ofOneLine reports what a server makes sure to hold no line break, unless its per cent signs were resolved on the way.
func ofOneLine(l label) bool {
	return l.source != nil && oneLine.MatchString(l.source.node.Text()) &&
		!slices.ContainsFunc(l.trail.steps(), func(s step) bool { return resolvesCodes.MatchString(s.text()) })
}

var (
	// What a server makes sure to hold no line break.
	oneLine = pattern.New(`(?i)header|HTTP_|user_?agent|referer|\.Host$|\.Method$|request_?ur[il]|` +
		`\.path$|\.(original_?)?ur[il]$|\bhref$|path_?info|servlet_?path|` +
		`query_?string|cookie`)
	// Calls that write characters in place of per cent signs and numbers.
	resolvesCodes = pattern.New(`(?i)\b(parse_qsl?|unquote(_plus)?|(raw)?urldecode|decodeURI(Component)?|URLDecoder|` +
		`(Path|Query)Unescape)\b`)
	address = pattern.New(`^\w+://`)
	// An uploaded file itself, which is no path.
	upload = pattern.New(`^http\.request\.(files|FILES)(\[\]|\.get\(\))$`)
	// What a session says of who somebody is, and what they may do.
	privilege = pattern.New(`(?i)user|role|admin|auth|account|uid|login|owner|tenant|perm|priv|email`)
	// Sources that give objects, where a text is expected: a parsed body, a query with brackets.
	objects = pattern.New(`\b(body|query|json|get_json)\b|\$_(GET|POST|REQUEST)`)
)

// inBrowser are sources of a program that runs in a browser, which asks for addresses on behalf of its user alone.
var inBrowser = pattern.New(`^((window|document)\.)?location\b|^document\.`)

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
		here := before == "" && kind.String() == "redirect" && below(p.val.taint())
		if here || fixedHost.MatchString(before) || len(before) > 1 && before[0] == '/' && before[1] != '/' || strings.HasPrefix(before, "?") {
			break
		}
		if before == "/" && kind.String() == "redirect" || before == "" || strings.HasSuffix(before, "://") || strings.Contains(before, "://") {
			out = merge(out, p.val.taint())
		}
		before += "\x00"
	}
	return out
}

// below reports the address that a browser shows: what stands behind it leads to the same site.
func below(all []label) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(l label) bool {
		return l.source == nil || !wholeAddress.MatchString(l.source.node.Text())
	})
}
