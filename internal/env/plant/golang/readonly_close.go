package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// readonlyClose throws away the error of closing a file that was only read: nothing can be lost by that.
func readonlyClose() plant.Operator {
	const (
		first  = "package a\n\nimport (\n\t\"io\"\n\t\"os\"\n)\n\nfunc read(p string) ([]byte, error) {\n\tf, err := os.Open(p)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tdefer f.Close()\n\treturn io.ReadAll(f)\n}\n"
		second = "package a\n\nimport \"net/http\"\n\nfunc get(u string) (int, error) {\n\tres, err := http.Get(u)\n\tif err != nil { return 0, err }\n\tdefer res.Body.Close( )\n\treturn res.StatusCode, nil\n}\n"
	)
	return plant.Operator{
		Name: "go/readonly-close", Language: "go", Split: "train", Category: "error-handling", CWE: "CWE-252", Severity: "low", Decoy: true,
		Sites: sites("Close(", func(s *source) []plant.Site {
			var out []plant.Site
			for _, d := range s.kinds["defer_statement"] {
				x, name := method(d.NamedChild(0))
				if name != "Close" || !s.opened(d, x) || !s.onlyRead(d, x) {
					continue
				}
				e := s.swap(d, "defer func() { _ = "+x.Text()+".Close() }()")
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s ignores the error of closing %s, which it has only read from: no data can be lost by it.", nameOf(function(d)), x.Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "defer f.Close()", "defer func() { _ = f.Close() }()", 1)),
			sample(second, strings.Replace(second, "defer res.Body.Close( )", "defer func() { _ = res.Body.Close() }()", 1)),
		},
		Never: []string{
			"package a\n\nimport \"os\"\n\nfunc put(p string) error {\n\tf, err := os.Create(p)\n\tif err != nil {\n\t\treturn err\n\t}\n\tdefer f.Close()\n\t_, err = f.WriteString(p)\n\treturn err\n}\n",
			"package a\n\nimport \"io\"\n\nfunc end(c io.Closer) { defer c.Close() }\n",
		},
	}
}
