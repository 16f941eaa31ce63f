package golang

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// shellPositional runs a shell with a fixed script that gets its values as arguments: it looks like an injection and is
// right.
func shellPositional() plant.Operator {
	const (
		first  = "package a\n\nimport \"os/exec\"\n\nfunc size(dir string) ([]byte, error) {\n\treturn exec.Command(\"du\", \"-s\", dir).Output()\n}\n"
		second = "package a\n\nimport (\n\t\"context\"\n\tsys \"os/exec\"\n)\n\nfunc pack(ctx context.Context, to, from string) error {\n\tcmd := sys.CommandContext(ctx, \"tar\",\n\t\t\"-cf\", to,\n\t\tfrom,\n\t)\n\treturn cmd.Run()\n}\n"
	)
	return plant.Operator{
		Name: "go/shell-positional", Language: "go", Split: "heldout", Category: "injection", CWE: "CWE-78", Severity: "low", Decoy: true,
		Sites: sites("os/exec", func(s *source) []plant.Site {
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				args := commandLine(s, call)
				if len(args) < 2 {
					continue
				}
				if _, value := shellLine(args); value == "" {
					continue
				}
				script, values := "exec", ""
				for _, a := range args {
					if word, err := strconv.Unquote(a.Text()); err == nil {
						script += " " + word
						continue
					}
					values += ", " + a.Text()
					script += fmt.Sprintf(" \"$%d\"", strings.Count(values, ", "))
				}
				e := plant.Edit{File: s.path, Start: args[0].Start(), End: args[len(args)-1].End(), Text: "\"sh\", \"-c\", `" + script + "`, \"sh\"" + values}
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s runs a fixed shell script; the values come in as quoted positional parameters, so the shell never reads them as code.", nameOf(function(call)))})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "\"du\", \"-s\", dir", "\"sh\", \"-c\", `exec du -s \"$1\"`, \"sh\", dir", 1)),
			sample(second, strings.Replace(second, "\"tar\",\n\t\t\"-cf\", to,\n\t\tfrom", "\"sh\", \"-c\", `exec tar -cf \"$1\" \"$2\"`, \"sh\", to, from", 1)),
		},
		Never: []string{
			"package a\n\nimport \"os/exec\"\n\nfunc size(dir string) ([]byte, error) {\n\treturn exec.Command(\"sh\", \"-c\", \"du -s \"+dir).Output()\n}\n",
			"package a\n\nimport \"os/exec\"\n\nfunc list() ([]byte, error) { return exec.Command(\"ls\", \"-l\").Output() }\n",
		},
	}
}
