package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// localCheck takes out the check that a name stays below the directory it is joined to.
func localCheck() plant.Operator {
	const (
		first  = "package a\n\nimport (\n\t\"errors\"\n\t\"os\"\n\t\"path/filepath\"\n)\n\nfunc read(dir, name string) ([]byte, error) {\n\tif !filepath.IsLocal(name) {\n\t\treturn nil, errors.New(\"bad name\")\n\t}\n\treturn os.ReadFile(filepath.Join(dir, name))\n}\n"
		second = "package a\n\nimport (\"os\"; fp \"path/filepath\")\n\nfunc drop(dir, name string) error {\n\t// Names come from outside.\n\tif ! fp.IsLocal(name) { return os.ErrInvalid }\n\n\t// gone for good\n\treturn os.Remove(fp.Join(dir, name))\n}\n"
	)
	return plant.Operator{
		Name: "go/local-check-dropped", Language: "go", Split: "train", Category: "path-traversal", CWE: "CWE-22", Severity: "high",
		Sites: sites("IsLocal(", func(s *source) []plant.Site {
			var out []plant.Site
			for _, g := range s.guards() {
				call := g.condition.NamedChild(0)
				if g.condition.Kind() != "unary_expression" || !s.callTo(call, "path/filepath", "IsLocal") || len(arguments(call)) != 1 {
					continue
				}
				if edits, ok := s.without(g); ok {
					out = append(out, plant.Site{Edits: edits, Description: fmt.Sprintf(
						"%s joins %s to a directory without checking that it stays inside, so .. in it reaches any file.", nameOf(function(call)), arguments(call)[0].Text())})
				}
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.NewReplacer("\t\"errors\"\n", "", "\tif !filepath.IsLocal(name) {\n\t\treturn nil, errors.New(\"bad name\")\n\t}\n", "").Replace(first)),
			sample(second, strings.Replace(second, "\t// Names come from outside.\n\tif ! fp.IsLocal(name) { return os.ErrInvalid }\n\n", "", 1)),
		},
		Never: []string{
			"package a\n\nimport (\n\t\"os\"\n\t\"path/filepath\"\n)\n\nfunc read(dir, name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }\n",
			"package a\n\nimport \"path/filepath\"\n\nfunc ok(name string) bool {\n\tif filepath.IsLocal(name) {\n\t\treturn true\n\t}\n\treturn false\n}\n",
			"package a\n\ntype fp struct{}\n\nfunc (fp) IsLocal(string) bool { return true }\n\nfunc ok(filepath fp, name string) int {\n\tif !filepath.IsLocal(name) {\n\t\treturn 1\n\t}\n\treturn 2\n}\n",
		},
	}
}
