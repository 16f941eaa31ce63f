package javascript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	hostInText = regexp.MustCompile(`^[a-z]+://[^/]+/|^/[^/]`)
	clients    = []string{"axios", "node-fetch", "got", "request", "superagent", "needle", "undici", "http", "https", "cross-fetch",
		"request-promise", "bent", "ky"}
)

// SSRF looks for requests sent to an address the client chose.
func (*checks) SSRF(p *rule.Pass) {
	for _, call := range p.Calls() {
		url := p.Arg(call, 0)
		if !url.Valid() || !sends(p, call) {
			continue
		}
		for _, key := range []string{"url", "uri", "host", "hostname", "baseURL"} {
			if v := property(p, url, key); v.Valid() {
				url = v
			}
		}
		if !url.Is("object") && requestFlow(p).Tainted(url) && !hostFixed(p, url) {
			p.Report(call, "the address is "+rule.FirstLine(url))
		}
	}
}

// sends tells whether call sends a request.
func sends(p *rule.Pass, call rule.Node) bool {
	f := call.ChildByField("function")
	if f.Text() == "fetch" {
		return !declaredInside(p, f)
	}
	b, ok := resolve(p, f)
	return ok && slices.Contains(clients, b.module) &&
		rule.OneOf(b.export, "", "default", "get", "post", "put", "patch", "delete", "head", "request", "fetch", "stream")
}

// hostFixed tells whether an address begins with something the client does not
// choose.
func hostFixed(p *rule.Pass, url rule.Node) bool {
	return !slices.ContainsFunc(built(p, url), func(text rule.Node) bool {
		ps := parts(p, text)
		return len(ps) == 0 || requestFlow(p).Tainted(ps[0].node) && !hostInText.MatchString(ps[0].before) &&
			!strings.HasPrefix(ps[0].before, "x")
	})
}
