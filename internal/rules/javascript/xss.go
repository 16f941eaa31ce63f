package javascript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var safeHTML = regexp.MustCompile(`(?i)sanit|escape|purify|encode|safe|trusted|clean|marked|markdown|render|template|icon|` +
	`svg|highlight|prism|hljs|katex|translate|i18n|^t$|\.t$|html|json\.stringify|serialize|tostring|policy|style|css`)

// XSS looks for HTML made of values that nothing escaped. Markup that arrives
// as one whole value (el.innerHTML = html) may have been made safe elsewhere,
// so only the browser's address, request text and values put between literal
// tags count.
func (*checks) XSS(p *rule.Pass) {
	for _, n := range p.Nodes("assignment_expression", "augmented_assignment_expression") {
		if _, name := member(n.ChildByField("left")); name == "innerHTML" || name == "outerHTML" {
			reportHTML(p, n, n.ChildByField("right"))
		}
	}
	for _, n := range p.Nodes("jsx_attribute") {
		if n.NamedChild(0).Text() == "dangerouslySetInnerHTML" {
			reportHTML(p, n, property(p, n.NamedChild(1).NamedChild(0), "__html"))
		}
	}
	for _, call := range p.Calls() {
		o, name := method(call)
		switch {
		case o.Text() == "document" && (name == "write" || name == "writeln"):
			reportHTML(p, call, p.Arg(call, 0))
		case name == "insertAdjacentHTML":
			reportHTML(p, call, p.Arg(call, 1))
		case name == "send" || name == "end" || name == "write":
			if o.Text() == "res" || o.Text() == "response" || strings.HasPrefix(o.Text(), "res.status(") {
				reportResponse(p, call, p.Arg(call, 0))
			}
		}
	}
}

func reportHTML(p *rule.Pass, at, html rule.Node) {
	if !html.Valid() {
		return
	}
	if addressFlow(p).AnyTainted(built(p, html)) {
		p.Report(at, "from the browser's address")
		return
	}
	for _, text := range built(p, html) {
		for _, x := range parts(p, text) {
			if strings.Contains(x.before, "<") && foreign(p, x.node) {
				p.Report(at, "the markup holds "+rule.FirstLine(x.node))
				return
			}
		}
	}
}

// reportResponse wants request text between literal tags.
func reportResponse(p *rule.Pass, at, html rule.Node) {
	for _, text := range built(p, html) {
		for _, x := range parts(p, text) {
			if htmlTag.MatchString(x.before) && requestFlow(p).Tainted(x.node) && !harmless(p, x.node) {
				p.Report(at, "the markup holds "+rule.FirstLine(x.node))
				return
			}
		}
	}
}

var htmlTag = regexp.MustCompile(`<[a-zA-Z]`)

// foreign tells whether a value is text somebody else may have chosen: a
// parameter of the function, or a member of one, under a name that says text.
// Names that say markup, and all calls, are given the benefit of the doubt.
func foreign(p *rule.Pass, n rule.Node) bool {
	n = unwrap(n)
	if n.Kind() != "identifier" && n.Kind() != "member_expression" || harmless(p, n) || safeHTML.MatchString(n.Text()) {
		return false
	}
	root := n
	for root.Kind() == "member_expression" {
		root = unwrap(root.ChildByField("object"))
	}
	if root.Kind() != "identifier" || !declaredInside(p, root) {
		return false
	}
	last := strings.ToLower(rule.LastName(n.Text()))
	return slices.ContainsFunc([]string{"name", "title", "text", "message", "comment", "content", "email", "username", "query",
		"search", "term", "description", "label", "url", "link", "input", "body", "error", "address", "bio"},
		func(w string) bool { return last == w || strings.HasSuffix(last, w) })
}

// addressFlow follows what stands in the address of the page.
func addressFlow(p *rule.Pass) *rule.Flow {
	return rule.Memo(p, "js.address", func() *rule.Flow {
		return p.Flow(rule.Taint{
			Source: func(n rule.Node) bool {
				return n.Is("member_expression") && rule.OneOf(p.Dotted(n), "location.search", "location.hash", "window.location.search",
					"window.location.hash", "document.location.search", "document.location.hash", "document.referrer", "document.URL")
			},
			Sanitizer: func(_ rule.Node, callee string) bool { return safeHTML.MatchString(callee) },
		})
	})
}
