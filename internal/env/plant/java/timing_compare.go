package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// timingCompare compares secrets with a function that stops at the first byte that differs: how long it takes tells how
// many bytes of a guess are right.
func timingCompare() plant.Operator {
	return plant.Operator{
		Name: "java/timing-compare", Language: language, Split: env.Train, Category: "weak-crypto", CWE: "CWE-208", Severity: "medium", Hint: "isEqual",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for call := range f.root.Find("method_invocation") {
				on := receiver(call).Text()
				if called(call) != "isEqual" || on != "MessageDigest" && !strings.HasSuffix(on, ".MessageDigest") {
					continue
				}
				name := "Arrays"
				imports, ok := f.importing("java.util.Arrays")
				if !ok {
					name = "java.util.Arrays"
				}
				found = append(found, plant.Site{Edits: append([]plant.Edit{f.replace(call, name+".equals"+call.ChildByField("arguments").Text())}, imports...),
					Description: fmt.Sprintf("%s compares %s with Arrays.equals, whose running time tells how many leading bytes match", methodName(call), short(strings.Trim(call.ChildByField("arguments").Text(), "()")))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("import java.security.MessageDigest;\nimport java.util.List;\n\nclass A {\n  boolean f(byte[] a, byte[] b) {\n    return MessageDigest.isEqual(a, b);\n  }\n}\n",
				"import java.security.MessageDigest;\n", "import java.util.Arrays;\n", "MessageDigest.isEqual(a, b)", "Arrays.equals(a, b)"),
			sample("class A{boolean f(byte[] a,byte[] b){return!java.security.MessageDigest.isEqual( a,b );}}\n", "java.security.MessageDigest.isEqual", "java.util.Arrays.equals"),
		},
		Never: []string{
			"class A {\n  boolean f(byte[] a, byte[] b) {\n    return Arrays.equals(a, b);\n  }\n}\n",
			"class A {\n  boolean f(Instant a, LocalDate b) {\n    return b.isEqual(today);\n  }\n}\n",
		},
	}
}
