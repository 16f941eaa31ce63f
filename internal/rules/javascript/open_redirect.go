package javascript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var redirectCheck = regexp.MustCompile(`(?i)(safe|valid|allow|check|whitelist|sanitize|local)\w*\(|startsWith\(|new URL\(`)

// OpenRedirect looks for redirects to an address the client sent.
func (*checks) OpenRedirect(p *rule.Pass) {
	for _, call := range p.Calls() {
		o, name := method(call)
		args := p.Args(call)
		if name != "redirect" || len(args) == 0 || !responseObject(p, o) {
			continue
		}
		url := args[0]
		if url.Kind() == "number" || len(args) == 2 && args[1].Kind() != "number" {
			url = args[len(args)-1]
		}
		if !requestFlow(p).Tainted(url) || redirectCheck.MatchString(p.Scope(call).Text()) {
			continue
		}
		fixed := false
		for _, text := range built(p, url) {
			if s := text.Text(); strings.Contains(s, ".originalUrl") ||
				strings.Contains(s, ".url") && !strings.Contains(s, "query") && !strings.Contains(s, "body") {
				fixed = true // the path of this very request
			}
			if ps := parts(p, text); len(ps) > 0 && (ps[0].before != "" || !requestFlow(p).Tainted(ps[0].node)) {
				fixed = true
			}
		}
		if !fixed {
			p.Report(call, "the address is "+rule.FirstLine(url))
		}
	}
}
