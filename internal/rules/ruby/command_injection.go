package ruby

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func commandInjection() rule.Rule {
	shells := []string{"system", "exec", "spawn", "popen", "capture2", "capture2e", "capture3", "popen3", "pipeline"}
	kernel := []string{"system", "exec", "spawn", "Kernel.system", "Kernel.exec", "Kernel.spawn", "IO.popen", "Process.spawn", "Open3.capture2", "Open3.capture2e", "Open3.capture3", "Open3.popen3", "Open3.pipeline"}
	data := regexp.MustCompile(`(?i)(^|_)(file|filename|path|username|hostname|url|uri|host|address|ip|user|input|query|dir|directory|branch|domain|target|email|text|pattern|archive|source|destination)$`)
	own := regexp.MustCompile(`(?i)cmd|command|opt|bin|exe|task|rake|prog|interp|ruby|tool`)
	build := regexp.MustCompile(`(?i)rakefile|/tasks?/|\.rake$|extconf|/script|/bin/|/build|/release|/ext/|rakelib|gemspec|/dev/|benchmark`)
	return rule.Rule{
		ID: "ruby/command-injection", Title: "a shell command is built from text that comes from outside",
		Category: "injection", CWE: "CWE-78", Severity: "high", Confidence: 0.8,
		Languages: []string{"ruby"},
		Explanation: "Given one string, system, exec and backticks hand it to /bin/sh. A semicolon, a backtick or $( ) in the interpolated part starts another command with this " +
			"process's rights.",
		Suggestion: "Pass program and arguments separately: system('tar', 'xf', file); or Shellwords.escape(file).",
		Bad: []rule.Sample{
			{Source: "class PingController < ApplicationController\n  def show\n    render plain: `ping -c 1 #{params[:host]}`\n  end\nend\n"},
			{Source: "class Archive\n  def unpack(file)\n    system(\"tar xf #{file}\")\n  end\nend\n"},
			{Source: "require 'sinatra'\nget '/log' do\n  name = params['name']\n  IO.popen(\"cat /var/log/\" + name).read\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "class Archive\n  def unpack(file)\n    system('tar', 'xf', file)\n  end\nend\n"},
			{Source: "class Archive\n  def unpack(file)\n    system(\"tar xf #{Shellwords.escape(file)}\")\n  end\nend\n"},
			{Source: "class Archive\n  def list\n    `ls #{DIR}`\n  end\nend\n"},
			{Source: "class Archive\n  def unpack(file)\n    file = file.shellescape\n    system(\"tar xf #{file}\")\n  end\nend\n"},
			{Source: "class Box\n  def run(cmd)\n    ssh.exec(\"cd #{cmd}\")\n  end\nend\n"},
		},
		Check: func(p *rule.Pass) {
			check := func(n, text syntax.Node) {
				for _, hole := range holes(p, text) {
					if strings.Contains(strings.ToLower(hole.Text()), "escape") {
						continue
					}
					if tainted(p, hole) {
						p.ReportAs(n, "critical", hole.Text())
						return
					}
					if given(p, n, hole, data, own, build) {
						p.ReportAs(n, "medium", hole.Text())
						return
					}
				}
				if tainted(p, text) && !p.IsString(text) && text.Kind() != "binary" {
					p.ReportAs(n, "critical", "")
				}
			}
			for _, call := range p.Calls() {
				if slices.Contains(shells, p.Method(call)) && slices.Contains(kernel, p.Callee(call)) && len(p.Args(call)) == 1 {
					check(call, first(p, call))
				}
			}
			for n := range p.Nodes("subshell") {
				check(n, n)
			}
		},
	}
}

// given tells whether the hole is an argument of the method, as it was given, that is a text by its use: not one of those that name a
// program or hold options, which the program's own code passes.
func given(p *rule.Pass, n, hole syntax.Node, data, own, build *regexp.Regexp) bool {
	method := p.Function(n)
	if hole.Kind() != "identifier" || method.Kind() != "method" && method.Kind() != "singleton_method" || p.InTest() {
		return false
	}
	name := hole.Text()
	if !slices.Contains(p.ParameterNames(method), name) || !data.MatchString(name) || own.MatchString(name) {
		return false
	}
	for _, a := range p.Assignments(method) {
		if a.Target.Text() == name {
			return false
		}
	}
	return !build.MatchString("/" + p.Path)
}
