package ruby

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func deserialization() rule.Rule {
	loads := []string{"YAML.load", "YAML.unsafe_load", "Psych.load", "Psych.unsafe_load", "Marshal.load", "Marshal.restore", "Oj.load", "Oj.object_load"}
	return rule.Rule{
		ID: "ruby/unsafe-deserialization", Title: "objects are built from request data",
		Category: "deserialization", CWE: "CWE-502", Severity: "critical", Confidence: 0.88,
		Languages: []string{"ruby"},
		Explanation: "Marshal.load and YAML.load (before Psych 4, and unsafe_load in every version) build objects of any class and set their fields. Known chains of Rails and " +
			"RubyGems classes turn a crafted text into a command.",
		Suggestion: "JSON.parse, or YAML.safe_load with the classes that may occur.",
		Bad: []rule.Sample{
			{Source: "class StateController < ApplicationController\n  def load\n    @state = Marshal.load(Base64.decode64(cookies[:state]))\n  end\nend\n"},
			{Source: "require 'sinatra'\npost '/import' do\n  data = YAML.load(request.body.read)\n  import(data)\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "class StateController < ApplicationController\n  def load\n    @state = YAML.safe_load(params[:state])\n  end\nend\n"},
			{Source: "class Settings\n  def load\n    YAML.load(File.read('config.yml'))\n  end\nend\n"},
			{Source: "class StateController < ApplicationController\n  def load\n    @state = JSON.parse(params[:state])\n  end\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if !slices.Contains(loads, p.Callee(call)) || p.Keyword(call, "permitted_classes").Valid() || p.Keyword(call, "safe").Valid() {
					continue
				}
				data := first(p, call)
				if inner := data; p.IsCall(inner) && strings.Contains(p.Callee(inner), "decode") {
					data = first(p, inner)
				}
				if tainted(p, data) {
					p.Report(call, "")
				}
			}
		},
	}
}
