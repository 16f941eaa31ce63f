package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// cookie is one that the program sends, and that not everybody may know.
type cookie struct {
	node             rule.Node
	user             bool // it tells who somebody is
	httpOnly, secure flag
}

// flag is what the program says of a protection.
type flag int

const (
	unknown flag = iota // an expression, a setting
	on
	off
	missing
)

// cookies gives the cookies of the file, but for those that everybody may know.
func cookies(p *rule.Pass) []cookie {
	return rule.Memo(p, "python.cookies", func() []cookie {
		var all []cookie
		for _, call := range p.MethodCalls("set_cookie", "set_signed_cookie", "set_secure_cookie", "set_encrypted_cookie") {
			if c, ok := cookieOf(p, call); ok {
				all = append(all, c)
			}
		}
		for _, call := range p.Calls() { // EncryptedCookieStorage(key, httponly=False)
			if kept.MatchString(p.Method(call)) {
				h, s := flagOf(p.Keyword(call, "httponly")), flagOf(p.Keyword(call, "secure"))
				all = append(all, cookie{call, true, h.said(), s.said()})
			}
		}
		for _, call := range p.MethodCalls("send_header", "add", "set", "add_header", "append") {
			if args := p.Args(call); len(args) == 2 && isSetCookie(p, args[0]) {
				all = headerCookie(p, call, args[1], all)
			}
		}
		for _, n := range p.Nodes("assignment") {
			if t := n.ChildByField("left"); t.Is("subscript") && isSetCookie(p, t.ChildByField("subscript")) {
				all = headerCookie(p, n, n.ChildByField("right"), all)
			}
		}
		return all
	})
}

// kept matches what holds sessions in cookies of its own.
var kept = regexp.MustCompile(`(Cookie|Session|Redis|Memcached)Storage$|SessionMiddleware$|SessionInterface$`)

// said is a flag where its default is unknown.
func (f flag) said() flag {
	if f == missing {
		return unknown
	}
	return f
}

func cookieOf(p *rule.Pass, call rule.Node) (cookie, bool) {
	args := p.Args(call)
	given := func(keyword string, position int) rule.Node {
		if v := p.Keyword(call, keyword); v.Valid() || position < 0 || len(args) <= position {
			return v
		}
		return args[position]
	}
	name, value := rule.Either(given("key", 0), p.Keyword(call, "name")), given("value", 1)
	if rule.OpenCookie(name.Text()) {
		return cookie{}, false
	}
	if rule.Any(call.ChildByField("arguments").NamedChildren(), func(c rule.Node) bool { return c.Is("dictionary_splat", "list_splat") }) {
		return cookie{}, false
	}
	text, _, literal := p.String(value)
	if !value.Valid() || literal && text == "" || value.Text() == "None" ||
		rule.OneOf(given("max_age", 2).Text(), "0", "-1") || rule.OneOf(given("expires", 3).Text(), "0", "-1") {
		return cookie{}, false // it is taken back
	}
	secureAt, httpOnlyAt := 6, 7
	if p.Method(call) != "set_cookie" {
		secureAt, httpOnlyAt = -1, -1
	}
	secure := flagOf(given("secure", secureAt))
	if p.Method(call) == "set_secure_cookie" && secure == missing {
		secure = unknown
	}
	httpOnly := flagOf(rule.Either(given("httponly", httpOnlyAt), p.Keyword(call, "httpOnly")))
	return cookie{call, rule.UserCookie(name.Text()), httpOnly, secure}, true
}

func flagOf(n rule.Node) flag {
	switch {
	case !n.Valid():
		return missing
	case n.Text() == "True":
		return on
	case n.Text() == "False":
		return off
	}
	return unknown
}

func isSetCookie(p *rule.Pass, n rule.Node) bool {
	s, _, ok := p.String(n)
	return ok && strings.EqualFold(s, "Set-Cookie")
}

// headerCookie adds a cookie that is written as the text of a header.
func headerCookie(p *rule.Pass, node, value rule.Node, all []cookie) []cookie {
	parts, _ := pieces(p, value)
	var b strings.Builder
	for _, q := range parts {
		b.WriteString(q.text)
	}
	text := strings.ToLower(b.String())
	name, rest, ok := strings.Cut(text, "=")
	if !ok || !rule.UserCookie(name) || strings.Contains(rest, "max-age=0") || strings.Contains(rest, "expires=") {
		return all
	}
	has := func(word string) flag {
		if strings.Contains(rest, word) {
			return on
		}
		return missing
	}
	return append(all, cookie{node, true, has("httponly"), has("secure")})
}

// protectedLater tells whether the file sets the flags of cookies elsewhere: response.cookies["id"]["httponly"] = True.
func protectedLater(p *rule.Pass, word string) bool {
	return rule.Memo(p, "python.later."+word, func() bool {
		return slices.ContainsFunc(p.Nodes("assignment"), func(n rule.Node) bool {
			return strings.EqualFold(lastWord(n.ChildByField("left")), word) && n.ChildByField("right").Text() == "True"
		})
	})
}
