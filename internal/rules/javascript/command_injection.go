package javascript

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// commandInjection looks for shell command lines with values in them.
func commandInjection() rule.Rule {
	return rule.Rule{
		ID: "javascript/command-injection", Title: "Shell command line built from text that is not constant",
		Category: "injection", CWE: "CWE-78", Severity: "high", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "exec hands its text to a shell, which acts on ;, |, $() and backticks inside the inserted value: whoever controls that value runs any command as this process.",
		Suggestion:  "Use execFile or spawn with the arguments as an array and no shell option.",
		Bad: []rule.Sample{
			{Source: "const { exec } = require('child_process');\n\nfunction ping(host, cb) {\n  exec(`ping -c 1 ${host}`, cb);\n}\n"},
			{Source: "import * as cp from 'node:child_process';\n\nexport function unpack(name) {\n  const line = 'tar -xf ' + name;\n  return cp.execSync(line);\n}\n"},
			{Source: "const { spawn } = require('child_process');\n\napp.get('/run', (req, res) => {\n  spawn(req.query.tool, ['--version']).stdout.pipe(res);\n});\n"},
		},
		Good: []rule.Sample{
			{Source: "const { execFile } = require('child_process');\n\nfunction ping(host, cb) {\n  execFile('ping', ['-c', '1', host], cb);\n}\n"},
			{Source: "const cp = require('child_process');\n\nconst sha = cp.execSync('git rev-parse HEAD').toString();\n"},
			{Source: "const { exec } = require('./db');\n\nfunction find(name) {\n  return exec(`find ${name}`);\n}\n"},
			{Source: "const { exec } = require('child_process');\n\nfunction nap(seconds) {\n  exec(`sleep ${parseInt(seconds, 10)}`);\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				name, ok := childProcess(p, call)
				line := p.Arg(call, 0)
				if !ok || !line.Valid() {
					continue
				}
				if requestFlow(p).Tainted(line) {
					p.ReportAs(call, "critical", "the command comes from the request")
					continue
				}
				if name != "exec" && name != "execSync" && !shellOption(p, call) {
					continue
				}
				for _, text := range built(p, line) {
					i := slices.IndexFunc(parts(p, text), func(x part) bool { return !harmless(p, x.node) && !ownSetting(x.node) })
					if i >= 0 {
						p.Report(call, "the command line holds "+oneLine(parts(p, text)[i].node))
						break
					}
				}
			}
		},
	}
}

// childProcess gives the function of child_process that call runs, promisified
// ones included.
func childProcess(p *rule.Pass, call syntax.Node) (string, bool) {
	if name, ok := callTo(p, call, "child_process", "exec", "execSync", "spawn", "spawnSync", "execFile", "execFileSync", "fork"); ok {
		return name, true
	}
	f := call.ChildByField("function")
	if f.Kind() != "identifier" {
		return "", false
	}
	name, ok := promisified(p)[f.Text()]
	return name, ok && !declaredInside(p, f)
}

// promisified maps the names given a promisified function of child_process, as
// in const run = promisify(exec), to that function.
func promisified(p *rule.Pass) map[string]string {
	return rule.Memo(p, "js.promisified", func() map[string]string {
		names := map[string]string{}
		for d := range p.Nodes("variable_declarator") {
			v := d.ChildByField("value")
			if v.Kind() != "call_expression" || rule.LastName(p.Callee(v)) != "promisify" {
				continue
			}
			if b, ok := resolve(p, p.Arg(v, 0)); ok && b.module == "child_process" {
				names[d.ChildByField("name").Text()] = b.export
			}
		}
		return names
	})
}

// ownSetting leaves out fields of the object itself, text that was quoted, and
// the paths of this very program: they are settings, not input.
func ownSetting(n syntax.Node) bool {
	s := n.Text()
	return strings.HasPrefix(s, "this.") || strings.HasPrefix(s, "JSON.stringify(") || strings.HasPrefix(s, "process.")
}

func shellOption(p *rule.Pass, call syntax.Node) bool {
	for _, a := range p.Args(call) {
		if property(p, a, "shell").Text() == "true" {
			return true
		}
	}
	return false
}
