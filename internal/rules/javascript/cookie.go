package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// cookie is one by which a user is known.
type cookie struct {
	call    rule.Node
	options rule.Node // the zero Node where there are none
	open    bool      // without options, scripts can read it
	session bool      // the framework keeps its sessions by it
}

// cookies gives the cookies of the file by which users are known.
func cookies(p *rule.Pass) []cookie {
	return rule.Memo(p, "js.cookies", func() []cookie {
		var all []cookie
		for _, call := range p.Calls() {
			object, name := method(call)
			f := call.ChildByField("function").Text()
			switch args := p.Args(call); {
			case rule.OneOf(name, "cookie", "setCookie") && len(args) >= 2 && len(args) <= 3 && answers(object) && identifies(p, args):
				all = append(all, cookie{call: call, options: options(args), open: true})
			case name == "set" && len(args) >= 2 && len(args) <= 3 && jar(object) && identifies(p, args):
				koa := strings.HasSuffix(object.Text(), "ctx.cookies")
				all = append(all, cookie{call: call, options: options(args), open: !koa})
			case rule.OneOf(f, "session", "expressSession", "cookieSession") && args != nil && args[0].Is("object"):
				o := args[0]
				if f != "cookieSession" {
					o = only(p, property(p, o, "cookie"))
				}
				all = append(all, cookie{call: call, options: o, session: true})
			}
		}
		return all
	})
}

// answers tells an answer to a request by its name.
func answers(n rule.Node) bool {
	for n.Is("call_expression") { // res.status(200).cookie(...)
		n, _ = method(n)
	}
	return rule.OneOf(n.Text(), "res", "response", "reply", "this.res", "ctx.res", "resp", "h")
}

// jar tells what Koa and Next hold cookies in.
func jar(n rule.Node) bool {
	n = unwrap(n)
	if n.Is("call_expression") {
		return n.ChildByField("function").Text() == "cookies"
	}
	return rule.OneOf(n.Text(), "ctx.cookies", "response.cookies", "res.cookies", "this.ctx.cookies", "cookieStore")
}

func options(args []rule.Node) rule.Node {
	if len(args) == 3 {
		return args[2]
	}
	return rule.Node{}
}

// identifies tells whether a cookie says who somebody is, by its name and by what is put into it.
func identifies(p *rule.Pass, args []rule.Node) bool {
	name, _, ok := p.String(args[0])
	if !ok && !args[0].Is("identifier", "member_expression") {
		return false
	}
	if !ok {
		name = args[0].Text()
	}
	value, _, literal := p.String(args[1])
	if literal && value == "" || args[1].Is("null", "undefined") {
		return false // it is taken back
	}
	return rule.UserCookie(name)
}

// complete tells whether everything that is said of the cookie stands here, and it is not taken back.
func (c cookie) complete() bool {
	if c.options.Valid() && !c.options.Is("object") {
		return false
	}
	return !rule.Any(c.options.NamedChildren(), func(n rule.Node) bool {
		value := n.ChildByField("value").Text()
		return n.Is("spread_element") ||
			rule.OneOf(n.ChildByField("key").Text(), "maxAge", "expires") && rule.OneOf(value, "0", "-1", "new Date(0)")
	})
}
