package javascript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	hostInText = regexp.MustCompile(`^[a-z]+://[^/]+/|^/[^/]`)
	clients    = []string{"axios", "node-fetch", "got", "request", "superagent", "needle", "undici", "http", "https", "cross-fetch", "request-promise", "bent", "ky"}
)

// ssrf looks for requests sent to an address the client chose.
func ssrf() rule.Rule {
	return rule.Rule{
		ID: "javascript/ssrf", Title: "Server sends a request to an address taken from the client",
		Category: "ssrf", CWE: "CWE-918", Severity: "high", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "The client decides where the server connects, so it can reach hosts only the server sees: cloud metadata at 169.254.169.254, admin ports on localhost, other machines of the network.",
		Suggestion:  "Parse the address with new URL and compare its host with a list of allowed hosts before sending.",
		Bad: []rule.Sample{
			{Source: "const axios = require('axios');\n\napp.get('/proxy', async (req, res) => {\n  const reply = await axios.get(req.query.url);\n  res.send(reply.data);\n});\n"},
			{Source: "app.post('/hook', async (req, res) => {\n  const { target } = req.body;\n  await fetch(`http://${target}/ping`, { method: 'POST' });\n  res.end();\n});\n"},
		},
		Good: []rule.Sample{
			{Source: "const axios = require('axios');\n\napp.get('/user', async (req, res) => {\n  const reply = await axios.get(`https://api.example.com/users/${req.params.id}`);\n  res.send(reply.data);\n});\n"},
			{Source: "app.get('/proxy', async (req, res) => {\n  const url = req.query.url;\n  if (!allowed.includes(new URL(url).host)) return res.sendStatus(400);\n  res.send(await (await fetch(url)).text());\n});\n"},
			{Source: "async function load(url) {\n  return fetch(url);\n}\n"},
			{Source: "app.get('/x', async (req, res) => {\n  res.send(await fetch(API + '/items?q=' + req.query.q));\n});\n"},
		},
		Check: func(p *rule.Pass) {
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
				if url.Kind() == "object" || !requestFlow(p).Tainted(url) || hostFixed(p, url) {
					continue
				}
				p.Report(call, "the address is "+oneLine(url))
			}
		},
	}
}

// sends tells whether call sends a request.
func sends(p *rule.Pass, call syntax.Node) bool {
	f := call.ChildByField("function")
	if f.Text() == "fetch" {
		return !declaredInside(p, f)
	}
	b, ok := resolve(p, f)
	return ok && slices.Contains(clients, b.module) && slices.Contains([]string{"", "default", "get", "post", "put", "patch", "delete", "head", "request", "fetch", "stream"}, b.export)
}

// hostFixed tells whether an address begins with something the client does not
// choose.
func hostFixed(p *rule.Pass, url syntax.Node) bool {
	for _, text := range built(p, url) {
		ps := parts(p, text)
		if len(ps) == 0 {
			return false
		}
		first := ps[0]
		if requestFlow(p).Tainted(first.node) && !hostInText.MatchString(first.before) && !strings.HasPrefix(first.before, "x") {
			return false
		}
	}
	return true
}
