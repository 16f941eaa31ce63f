package ruby

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func serverSideRequest() rule.Rule {
	fetches := []string{"URI.open", "Net.HTTP.get", "Net.HTTP.get_response", "Net.HTTP.post_form", "HTTParty.get", "HTTParty.post", "RestClient.get", "RestClient.post", "Faraday.get", "Faraday.post", "OpenURI.open_uri", "HTTP.get", "Typhoeus.get", "Excon.get"}
	return rule.Rule{
		ID: "ruby/ssrf", Title: "the server fetches an address that comes from the request",
		Category: "ssrf", CWE: "CWE-918", Severity: "high", Confidence: 0.85,
		Languages: []string{"ruby"},
		Explanation: "The client chooses where this server connects to: services inside the network, or the cloud's metadata address (169.254.169.254) with its credentials. " +
			"Kernel#open also runs a command when the text begins with a pipe.",
		Suggestion: "Choose the host from a list by a key in the request; refuse private addresses after resolving.",
		Bad: []rule.Sample{
			{Source: "class PreviewController < ApplicationController\n  def show\n    render plain: URI.open(params[:url]).read\n  end\nend\n"},
			{Source: "class PreviewController < ApplicationController\n  def show\n    uri = URI.parse(params[:url])\n    @body = Net::HTTP.get(uri)\n  end\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "class PreviewController < ApplicationController\n  def show\n    render plain: URI.open(\"https://api.example.org/#{params[:id]}\").read\n  end\nend\n"},
			{Source: "class Feed\n  def fetch(url)\n    Net::HTTP.get(URI.parse(url))\n  end\nend\n"},
			{Source: "class PreviewController < ApplicationController\n  def show\n    uri = URI.parse(params[:url])\n    return head(:forbidden) unless HOSTS.include?(uri.host)\n    @body = Net::HTTP.get(uri)\n  end\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if !slices.Contains(fetches, p.Callee(call)) {
					continue
				}
				url := first(p, call)
				if !url.Valid() || p.IsString(url) && !strings.HasPrefix(url.Text(), "\"#{") || enumerated(p, call, url) {
					continue
				}
				if p.IsName(url) {
					for _, a := range p.Assignments(p.Scope(call)) {
						if v := a.Value; a.Target.Text() == url.Text() && (p.Callee(v) == "URI.parse" || p.Callee(v) == "URI") {
							url = first(p, v)
						}
					}
				}
				if tainted(p, url) && (!p.IsString(url) || strings.HasPrefix(url.Text(), "\"#{")) {
					p.Report(call, "")
				}
			}
		},
	}
}
