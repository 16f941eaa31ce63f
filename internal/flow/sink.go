package flow

import (
	"bytes"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

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
	all := f.table.Sinks(c.full)
	for _, name := range c.also {
		all = append(all, f.table.Sinks(name)...)
	}
	for _, s := range all {
		if (s.Kind == model.KindOf("nosql") || s.Kind == model.KindOf("ldap")) && f.ours(c) {
			continue
		}
		if !c.meets(s) || s.Kind.String() == "deserialization" && f.filters() {
			continue
		}
		for _, at := range s.Args {
			if reads[c.full] && !f.readsAs(s.Kind, c.x) {
				continue
			}
			if s.Kind.String() == "trust" && (at.Arg == 1 && !privileged(c.first()) || f.logsIn()) {
				continue
			}
			if f.harmless(s.Kind.String(), c) {
				continue
			}
			if v, ok := c.arg(at); ok {
				f.harm(s, hitKey{s.Kind, f.file, c.x.Node}, c.full, v, nil, c.x)
			}
		}
	}
}

// logsIn reports a function that looks at a password before it says whose the session is.
func (f *frame) logsIn() bool {
	return f.e.says(f.file, "login"+itoa(f.fn.Node.Start()), func([]byte) bool { return credential.MatchString(f.fn.Node.Text()) })
}

var credential = pattern.New(`(?i)passw|pwd|parola|authenticat|verify_?(login|user|token|otp)|check_?(login|credentials)`)

// asksMongo tells whether a collection is asked, where what is called is a name that texts, lists and other databases have too.
func (f *frame) asksMongo(c *call) bool {
	if scripts[f.file.Language] && vague[c.short] {
		on := c.x.Args[0].Args
		if len(on) == 0 {
			return false
		}
		text := on[0].Node.Text()
		return askedModel.MatchString(text) || f.e.says(f.file, "mongo", mongoScript.Match)
	}
	if f.file.Language != "python" || c.short != "find" && c.short != "aggregate" || collection.MatchString(c.x.Args[0].Node.Text()) {
		return true
	}
	for _, imported := range f.file.Imports {
		if mongo.MatchString(imported) {
			return true
		}
	}
	return false
}

// Methods of collections whose names much else has.
var vague = words(`find count remove aggregate distinct exists`)

var (
	askedModel = pattern.New(`(?i:mongo|model|(^|\.)_?db\b|\bcol(l|lection)?s?\b)|Col(l|lection)?s?$|` +
		`(^|\.)[A-Z]\w*[a-z]\w*(\(\))?$`)
	mongoScript = pattern.New(`(require\(|from\s*)['"](mongoose|mongodb|mongojs|monk|mongoist|@nestjs/mongoose|` +
		`[\w./@-]*/models?(/[\w-]+)*)['"]`)
	collection = pattern.New(`(?i)mongo|(\b|_)(db|collections?|coll?)(\b|_)`)
	mongo      = pattern.New(`^(pymongo|motor|flask_pymongo|mongoengine|beanie|odmantic)\b`)
)

// harmless reports a call that only looks like one that does harm of a kind.
func (f *frame) harmless(kind string, c *call) bool {
	switch kind {
	case "log":
		return f.forDevelopers(c)
	case "nosql":
		return !f.asksMongo(c)
	case "xss": // print_r($x, true)
		if yes, known := f.truth(c.second()); c.short == "print_r" && known {
			return yes
		}
	case "path":
		return f.file.Language == "java" && (namesOnly(c.x.Node) || checked(c.x.Node) || Administers(f.file.Path))
	case "ssrf":
		return !f.sends(c)
	case "code": // instance_eval(&block)
		return f.file.Language == "ruby" && len(c.x.Args) > 1 && strings.HasPrefix(c.x.Args[1].Node.Text(), "&")
	}
	return false
}

// filters reports a function that says which objects Java may make.
func (f *frame) filters() bool {
	const filter = "setObjectInputFilter"
	return f.e.says(f.file, filter, func(text []byte) bool { return bytes.Contains(text, []byte(filter)) }) &&
		strings.Contains(f.fn.Node.Text(), filter)
}

// forDevelopers reports an entry that is written only where somebody looks for a mistake.
func (f *frame) forDevelopers(c *call) bool {
	return c.short == "trace" || c.short == "debug" || strings.Contains(strings.ToLower(f.file.Path), "debug")
}

// sends tells whether a server sends a request: Go makes some for a handler of the program itself, and a browser is no server.
func (f *frame) sends(c *call) bool {
	switch f.file.Language {
	case "javascript", "typescript", "tsx":
		return !f.e.says(f.file, "browser", browser.Match)
	}
	if f.file.Language != "go" || !strings.HasPrefix(c.short, "NewRequest") {
		return true
	}
	return f.e.says(f.file, "sent", sent.Match) || !f.e.says(f.file, ".ServeHTTP(", func(text []byte) bool {
		return bytes.Contains(text, []byte(".ServeHTTP("))
	})
}

var browser = pattern.New(`\b(window|document)\.\w+`)

var sent = pattern.New(`(?i)\.(do|roundtrip|send)\w*\(`)

// PHP's functions that read files and addresses alike.
var reads = words(`file_get_contents fopen file copy getimagesize readfile`)

// readsAs tells by the name of what such a function is given which of both it is meant to read.
func (f *frame) readsAs(kind model.Kinds, x *ir.Expr) bool {
	if len(x.Args) < 2 || kind.String() != "ssrf" && kind.String() != "path" {
		return true
	}
	return addressed.MatchString(x.Args[1].Node.Text()) == (kind.String() == "ssrf")
}

var addressed = pattern.New(`(?i)ur[il]|http|link|href|endpoint|webhook|feed|remote|domain`)

// meets tells whether a call has the keyword arguments that a sink asks for.
func (c *call) meets(s model.Sink) bool {
	if s.Kind.String() == "xss" {
		for i, n := range c.names {
			if t, ok := c.args[i].text(); ok && contentType[n] && !strings.Contains(t, "html") {
				return false
			}
			for _, of := range []string{"content-type", "Content-Type"} { // new Response(text, { headers: { ... } })
				if t, ok := c.args[i].under("headers").under(of).text(); ok && !strings.Contains(t, "html") {
					return false
				}
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
				if s.Kind.String() == "trust" && (len(target.Args) < 2 || !privileged(f.eval(target.Args[1])) || f.logsIn()) {
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

// harm reports what untrusted values a sink is given. after is the path from the function at hand to the sink, and x the sink's
// expression where it stands in this function.
func (f *frame) harm(s model.Sink, key hitKey, what string, v *value, after *trail, x *ir.Expr) {
	if s.Kind.String() == "xss" && f.env != nil {
		_, plain := f.env.get(plainFlag)
		_, page := f.env.get(pageFlag)
		if plain || f.sniffed(v) && !page || s.Page && !page {
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
			if s.Exposed && (x != nil || f.serves(s.Kind)) && l.fn == f.fn && f.plain(l, what) && embedded(s.Kind, v, l) && f.exposed() &&
				!deliberate(s.Kind, x) {
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

// deliberate reports an assignment of a text that is called trusted, or unsafe, where it is put into a page.
func deliberate(kind model.Kinds, x *ir.Expr) bool {
	if x == nil {
		return false
	}
	if up := x.Node.Parent(); kind.String() == "xss" && up.Is("assignment_expression") {
		return trusted.MatchString(up.ChildByField("right").Text())
	}
	return false
}

var trusted = pattern.New(`^(await )?[\w.$]*([tT]rusted|[uU]nsafe)\w*\(`)

// isOwn reports what a victim's browser sends by itself, and where it came from: a redirect there leads to no other site's choice.
func (s step) isOwn() bool {
	text := s.node.Text()
	return ownHost.MatchString(text) || ownAgent.MatchString(text) || cameFrom.MatchString(text)
}

func sameLabels(a, b []label) bool {
	return slices.EqualFunc(a, b, func(x, y label) bool { return x.same(y) && x.clean == y.clean })
}

var (
	// What a victim's browser sends by itself, no other site can choose.
	ownAgent = pattern.New(`HTTP_(USER_AGENT|ACCEPT|X_|CLIENT_IP|COOKIE|HOST)`)
	// A redirect back to where somebody came from leads to whoever sent them.
	cameFrom = pattern.New(`(?i)\b(HTTP_)?referr?er\b`)
	// The host that was asked for: no link makes a browser name another.
	ownHost  = pattern.New(`\b(req|request|ctx)(\.request)?\.(hostname|host|headers\.host|headers\['host'\]|(get|header)\('[hH]ost'\))$`)
	location = pattern.New(`(?i)^\s*location:\s*`)
	// The address that was asked for begins with a slash: it leads nowhere else.
	ownPath = pattern.New(`\.(path|full_path|path_info|get_full_path\(?|URL\.Path|originalUrl|fullpath|pathname|getRequestURI\(?|` +
		`getServletPath\(?|getQueryString\(?|RequestURI)\)?$|REQUEST_URI|PHP_SELF`)
)
