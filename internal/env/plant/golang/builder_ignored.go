package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// builderIgnored throws the results of a strings.Builder away in so many words: its error is always nil.
func builderIgnored() plant.Operator {
	const (
		first  = "package a\n\nimport \"strings\"\n\nfunc twice(s string) string {\n\tvar b strings.Builder\n\tb.WriteString(s)\n\tb.WriteByte('x')\n\treturn b.String()\n}\n"
		second = "package a\n\nimport \"bytes\"\n\nfunc list(xs []string) []byte {\n\tvar out, sep bytes.Buffer\n\tfor _, x := range xs { out.Write(sep.Bytes()); out . WriteString( x ) }\n\treturn out.Bytes()\n}\n"
	)
	return plant.Operator{
		Name: "go/builder-ignored", Language: "go", Split: "heldout", Category: "error-handling", CWE: "CWE-252", Severity: "low", Decoy: true,
		Sites: sites("WriteString(", func(s *source) []plant.Site {
			var out []plant.Site
			for _, n := range s.kinds["expression_statement"] {
				call := n.NamedChild(0)
				x, name := method(call)
				if name != "WriteString" || x.Kind() != "identifier" || n.EndLine()-n.Line() > 3 {
					continue
				}
				for spec := range function(n).ChildByField("body").Find("var_spec") {
					local, kind, _ := strings.Cut(spec.ChildByField("type").Text(), ".")
					if t := s.imports[local] + "." + kind; t != "strings.Builder" && t != "bytes.Buffer" || !mentions(spec, x.Text()) || spec.Start() > n.Start() {
						continue
					}
					out = append(out, plant.Site{Edits: []plant.Edit{s.swap(n, "_, _ = "+n.Text())}, Description: fmt.Sprintf(
						"%s ignores what %s.WriteString returns, whose error is documented to be nil always.", nameOf(function(n)), x.Text())})
					break
				}
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "\tb.WriteString(s)", "\t_, _ = b.WriteString(s)", 1)),
			sample(second, strings.Replace(second, "; out . W", "; _, _ = out . W", 1)),
		},
		Never: []string{
			"package a\n\nimport \"os\"\n\nfunc note(f *os.File) { f.WriteString(\"x\") }\n",
			"package a\n\nimport \"strings\"\n\nfunc put(b *strings.Builder) { b.WriteString(\"x\") }\n",
		},
	}
}
