package java

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func serverSideRequest() rule.Rule {
	clients := regexp.MustCompile(`(?i)(rest(template|client|ops)|http(client)?)\w*\.(getForObject|getForEntity|postForObject|postForEntity|exchange)$|^Jsoup\.connect$`)
	return rule.Rule{
		ID: "java/ssrf", Title: "the server fetches an address that comes from the request",
		Category: "ssrf", CWE: "CWE-918", Severity: "high", Confidence: 0.8,
		Languages: []string{"java"},
		Explanation: "The client chooses where this server connects to: services that only listen inside the network, the cloud's metadata address " +
			"(169.254.169.254) with its credentials, or file: URLs.",
		Suggestion: "Choose the host from a list by a key in the request; refuse other schemes than https and addresses that resolve to private networks.",
		Bad: []rule.Sample{
			{Source: "class Proxy extends HttpServlet {\n  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {\n    URL url = new URL(request.getParameter(\"u\"));\n    try (InputStream in = url.openStream()) { in.transferTo(response.getOutputStream()); }\n  }\n}\n"},
			{Source: "class Proxy {\n  @GetMapping(\"/fetch\")\n  String fetch(@RequestParam String url) {\n    return restTemplate.getForObject(url, String.class);\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Proxy {\n  @GetMapping(\"/fetch\")\n  String fetch(@RequestParam String q) {\n    return restTemplate.getForObject(\"https://api.internal/search?q=\" + q, String.class);\n  }\n}\n"},
			{Source: "class Proxy {\n  String fetch(String url) throws IOException {\n    return new URL(url).openConnection().getContentType();\n  }\n}\n"},
			{Source: "class Proxy {\n  String fetch(@RequestParam String name) {\n    return restTemplate.getForObject(HOSTS.get(name), String.class);\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				target := p.Arg(call, 0)
				if m := p.Method(call); m == "openConnection" || m == "openStream" {
					target = receiver(call)
					if t := value(p, target); callee(p, t) == "URL" {
						target = p.Arg(t, 0)
					}
				} else if !clients.MatchString(callee(p, call)) && callee(p, call) != "HttpRequest.newBuilder" {
					continue
				}
				if flow := input(p); target.Valid() && flow.Tainted(target) && flow.Tainted(parts(value(p, target))[0]) {
					p.Report(call, "")
				}
			}
		},
	}
}
