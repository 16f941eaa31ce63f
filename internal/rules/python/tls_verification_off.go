package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) TLSVerificationOff(p *rule.Pass) {
	http := imported(p, "requests", "httpx", "urllib3")
	for _, call := range p.Calls() {
		name := callee(p, call)
		method := rule.LastName(name)
		client := strings.HasPrefix(name, "requests.") || strings.HasPrefix(name, "httpx.")
		verb := rule.OneOf(method, "get", "post", "put", "patch", "delete", "head", "options", "request", "stream")
		switch {
		case http && (client || verb) && p.Keyword(call, "verify").Text() == "False",
			name == "ssl._create_unverified_context",
			imported(p, "aiohttp") && (verb || strings.HasSuffix(name, "TCPConnector")) &&
				(p.Keyword(call, "ssl").Text() == "False" || p.Keyword(call, "verify_ssl").Text() == "False"),
			strings.HasPrefix(name, "urllib3.") && p.Keyword(call, "cert_reqs").Text() == "ssl.CERT_NONE":
			p.Report(call, "")
		}
	}
	p.ReportWhere(p.Nodes("assignment"), func(n rule.Node) bool {
		target, value := n.ChildByField("left").Text(), n.ChildByField("right").Text()
		option := n.Enclosing("if_statement", "elif_clause", "else_clause", "function_definition")
		if strings.HasSuffix(option.Kind(), "clause") || option.Kind() == "if_statement" {
			return false // somebody has to ask for it
		}
		if strings.Contains(strings.ToLower(option.ChildByField("name").Text()), "insecure") {
			return false
		}
		return strings.HasSuffix(target, ".verify_mode") && !strings.HasPrefix(target, "self.verify") &&
			resolve(p, value) == "ssl.CERT_NONE" ||
			target == "ssl._create_default_https_context" && value == "ssl._create_unverified_context"
	})
}
