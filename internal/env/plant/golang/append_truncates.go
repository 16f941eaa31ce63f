package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// appendTruncates empties a file that is only ever to be added to.
func appendTruncates() plant.Operator {
	const (
		first  = "package a\n\nimport \"os\"\n\nfunc open(p string) (*os.File, error) {\n\treturn os.OpenFile(p, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)\n}\n"
		second = "package a\n\nimport \"os\"\n\nconst mode = 0o600\n\nfunc note(p, s string) error {\n\tf, err := os.OpenFile(\n\t\tp, os.O_APPEND | os.O_RDWR, mode)\n\tif err != nil { return err }\n\t_, err = f.WriteString(s)\n\tf.Close()\n\treturn err\n}\n"
	)
	return plant.Operator{
		Name: "go/append-truncates", Language: "go", Split: "train", Category: "data-loss", CWE: "CWE-665", Severity: "high",
		Sites: sites("O_APPEND", func(s *source) []plant.Site {
			var out []plant.Site
			for _, n := range s.kinds["selector_expression"] {
				x, field := n.ChildByField("operand"), n.ChildByField("field").Text()
				call := n.Enclosing("call_expression")
				if field != "O_APPEND" || s.imports[x.Text()] != "os" || !s.callTo(call, "os", "OpenFile") || len(arguments(call)) != 3 || strings.Contains(call.Text(), "O_TRUNC") || strings.Contains(call.Text(), "O_EXCL") {
					continue
				}
				if p := n.Parent(); p.Kind() == "binary_expression" && p.ChildByField("operator").Text() != "|" {
					continue
				}
				e := s.swap(n, x.Text()+".O_TRUNC")
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s opens %s with O_TRUNC where it is to be appended to: what earlier runs wrote is lost.", nameOf(function(n)), one(arguments(call)[0].Text()))})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "O_APPEND", "O_TRUNC", 1)),
			sample(second, strings.Replace(second, "O_APPEND", "O_TRUNC", 1)),
		},
		Never: []string{
			"package a\n\nimport \"os\"\n\nfunc open(p string) (*os.File, error) { return os.OpenFile(p, os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600) }\n",
			"package a\n\nimport \"os\"\n\nfunc adds(flag int) bool { return flag&os.O_APPEND != 0 }\n",
		},
	}
}
