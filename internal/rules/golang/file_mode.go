package golang

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// fileMode looks for permissions that let everybody write.
func fileMode() rule.Rule {
	return rule.Rule{
		ID: "go/world-writable-file", Title: "File or directory that every user may write",
		Category: "configuration", CWE: "CWE-732", Severity: "medium", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "Any account on the machine may replace the contents: a config or script written this way lets a local user make this program do what they want. The umask is no guard; services often run with 0.",
		Suggestion:  "Use 0o600 or 0o644 for files and 0o700 or 0o755 for directories.",
		Bad: []rule.Sample{
			{Source: "package a\n\nimport \"os\"\n\nfunc save(b []byte) error { return os.WriteFile(\"/etc/app.conf\", b, 0777) }\n"},
			{Source: "package a\n\nimport \"os\"\n\nfunc share(p string) error { return os.Chmod(p, 0o666) }\n"},
		},
		Good: []rule.Sample{
			{Source: "package a\n\nimport \"os\"\n\nfunc save(b []byte) error { return os.WriteFile(\"/etc/app.conf\", b, 0o600) }\n"},
			{Source: "package a\n\nimport \"os\"\n\nfunc dir(p string) error { return os.MkdirAll(p, 0755) }\n"},
			{Source: "package a\n\nimport \"os\"\n\nfunc tmp(p string) error { return os.Mkdir(p, 01777) }\n"},
			{Source: "package a\n\nimport \"os\"\n\nfunc create(p string) (*os.File, error) { return os.OpenFile(p, os.O_CREATE, 0666) }\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				chmod := callTo(p, call, "os", "Chmod")
				directory := callTo(p, call, "os", "Mkdir", "MkdirAll")
				if !chmod && !directory && !callTo(p, call, "os", "WriteFile") && !callTo(p, call, "io/ioutil", "WriteFile") {
					continue
				}
				args := p.Args(call)
				if len(args) < 2 {
					continue
				}
				mode, err := strconv.ParseUint(strings.ReplaceAll(args[len(args)-1].Text(), "_", ""), 0, 32)
				// 0666 and 0777 for directories are what the umask is meant for: os.Create does the same.
				if err != nil || mode&0o002 == 0 || mode&0o1000 != 0 || directory || !chmod && mode&0o111 == 0 {
					continue
				}
				if chmod && strings.Contains(p.Scope(call).Text(), "Remove") {
					continue // made writable to be deleted
				}
				p.Report(call, "")
			}
		},
	}
}
