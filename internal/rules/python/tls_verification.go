package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func tlsVerification() rule.Rule {
	return rule.Rule{
		ID: "python/tls-verification-off", Title: "The server's certificate is not checked",
		Category: "weak-crypto", CWE: "CWE-295", Severity: "high", Languages: []string{"python"}, Confidence: 0.9,
		Explanation: "Anybody on the way can answer in the server's place, read what is sent and change what comes back.",
		Suggestion:  "Leave verification on; give the private authority's certificate with verify=\"/path/ca.pem\" or load_verify_locations.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`import requests`, `def get(url):`, `    return requests.get(url, verify=False)`),
			code(`import ssl`, `ctx = ssl._create_unverified_context()`),
			code(`import ssl`, `def context():`, `    ctx = ssl.create_default_context()`, `    ctx.check_hostname = False`, `    ctx.verify_mode = ssl.CERT_NONE`, `    return ctx`),
			code(`import aiohttp`, `async def get(s, url):`, `    return await s.get(url, ssl=False)`),
		},
		Good: []rule.Sample{
			code(`import requests`, `def get(url, ca):`, `    return requests.get(url, verify=ca)`),
			code(`import ssl`, `def context():`, `    ctx = ssl.create_default_context()`, `    ctx.verify_mode = ssl.CERT_REQUIRED`, `    return ctx`),
			code(`def check(token, signer):`, `    return signer.decode(token, verify=False)`),
			code(`import ssl`, `def context(insecure):`, `    ctx = ssl.create_default_context()`, `    if insecure:`, `        ctx.verify_mode = ssl.CERT_NONE`, `    return ctx`),
		},
		Check: func(p *rule.Pass) {
			http := imported(p, "requests", "httpx", "urllib3")
			for _, call := range p.Calls() {
				name := callee(p, call)
				method := rule.LastName(name)
				client := strings.HasPrefix(name, "requests.") || strings.HasPrefix(name, "httpx.")
				verb := strings.Contains(" get post put patch delete head options request stream ", " "+method+" ")
				switch {
				case http && (client || verb) && p.Keyword(call, "verify").Text() == "False",
					name == "ssl._create_unverified_context",
					imported(p, "aiohttp") && (verb || strings.HasSuffix(name, "TCPConnector")) && (p.Keyword(call, "ssl").Text() == "False" || p.Keyword(call, "verify_ssl").Text() == "False"),
					strings.HasPrefix(name, "urllib3.") && p.Keyword(call, "cert_reqs").Text() == "ssl.CERT_NONE":
					p.Report(call, "")
				}
			}
			for n := range p.Nodes("assignment") {
				target, value := n.ChildByField("left").Text(), n.ChildByField("right").Text()
				option := n.Enclosing("if_statement", "elif_clause", "else_clause", "function_definition")
				if strings.HasSuffix(option.Kind(), "clause") || option.Kind() == "if_statement" {
					continue // somebody has to ask for it
				}
				if strings.HasSuffix(target, ".verify_mode") && !strings.HasPrefix(target, "self.verify") && resolve(p, value) == "ssl.CERT_NONE" || target == "ssl._create_default_https_context" && value == "ssl._create_unverified_context" {
					p.Report(n, "")
				}
			}
		},
	}
}
