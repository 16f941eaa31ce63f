package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	fetches = regexp.MustCompile(`^(requests|httpx)\.(get|post|put|patch|delete|head|options)$|^urllib\.request\.(urlopen|urlretrieve|Request)$|^urllib2\.urlopen$`)
	hostEnd = regexp.MustCompile(`^(https?://)?[^/]*$`)
)

func serverSideRequest() rule.Rule {
	return rule.Rule{
		ID: "python/ssrf", Title: "Server fetches an address that a request names",
		Category: "ssrf", CWE: "CWE-918", Severity: "high", Languages: []string{"python"}, Confidence: 0.85,
		Explanation: "The client chooses where this server connects: to the cloud's metadata service, to databases and admin pages that trust the inner network.",
		Suggestion:  "Take the host from a list of allowed ones, resolve it and refuse private addresses, follow no redirects.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`import requests`, `from flask import request`, `def proxy():`, `    return requests.get(request.args["url"]).text`),
			code(`from urllib.request import urlopen`, `def fetch(request):`, `    url = request.GET.get("url")`, `    return urlopen(url).read()`),
			code(`import httpx`, `from flask import request`, `def hook():`, `    host = request.json["host"]`, `    return httpx.post(f"https://{host}/hook")`),
		},
		Good: []rule.Sample{
			code(`import requests`, `from flask import request`, `def item():`, `    return requests.get("https://api.example.com/items/" + request.args["id"]).text`),
			code(`import requests`, `def get(url):`, `    return requests.get(url)`),
			code(`import requests`, `from flask import request`, `def go():`, `    url = request.args["url"]`, `    if url not in ALLOWED:`, `        abort(400)`, `    return requests.get(url)`),
		},
		Check: func(p *rule.Pass) {
			flow := inputFlow(p)
			for _, call := range p.Calls() {
				if !fetches.MatchString(callee(p, call)) {
					continue
				}
				url := p.Arg(call, 0)
				if !url.Valid() {
					url = p.Keyword(call, "url")
				}
				if !flow.Tainted(url) {
					continue
				}
				parts, _ := pieces(p, url)
				before := ""
				for _, q := range parts {
					if q.node.Valid() && flow.Tainted(q.node) && hostEnd.MatchString(before) {
						p.Report(call, "")
						break
					}
					if q.node.Valid() { // a configured base address
						before += "x/"
					}
					before += q.text
				}
			}
		},
	}
}

func openRedirect() rule.Rule {
	return rule.Rule{
		ID: "python/open-redirect", Title: "Redirect to an address that the request names",
		Category: "redirect", CWE: "CWE-601", Severity: "medium", Languages: []string{"python"}, Confidence: 0.8,
		Explanation: "A link to this site can send its visitor anywhere: to a copy of the login page, for instance.",
		Suggestion:  "Redirect to paths of this site only: check with url_has_allowed_host_and_scheme, or that netloc is empty.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`from flask import redirect, request`, `def login():`, `    return redirect(request.args.get("next"))`),
			code(`from django.http import HttpResponseRedirect`, `def go(request):`, `    target = request.GET["to"]`, `    return HttpResponseRedirect(target)`),
		},
		Good: []rule.Sample{
			code(`from flask import redirect, request, url_for`, `def login():`, `    return redirect(url_for("home", tab=request.args.get("tab")))`),
			code(`from flask import redirect, request`, `def show():`, `    return redirect("/items/" + request.args["id"])`),
			code(`from django.shortcuts import redirect`, `def go(request):`, `    to = request.GET["to"]`, `    if not url_has_allowed_host_and_scheme(to, None):`, `        to = "/"`, `    return redirect(to)`),
			code(`from django.shortcuts import redirect`, `def go(request):`, `    return redirect(request.path)`),
		},
		Check: func(p *rule.Pass) {
			flow := inputFlow(p)
			for _, call := range p.Calls() {
				name := rule.LastName(callee(p, call))
				if !slices.Contains([]string{"redirect", "HttpResponseRedirect", "RedirectResponse", "HTTPFound"}, name) {
					continue
				}
				to := p.Arg(call, 0)
				if text := to.Text(); !flow.Tainted(to) || strings.Contains(text, ".path") || strings.Contains(text, ".url") || strings.Contains(text, "headers") || strings.Contains(text, "META") {
					continue
				}
				if parts, _ := pieces(p, to); len(parts) > 0 && parts[0].node.Valid() && flow.Tainted(parts[0].node) {
					p.Report(call, "")
				}
			}
		},
	}
}
