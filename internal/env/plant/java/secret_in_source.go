package java

import (
	"fmt"
	"hash/fnv"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// secretInSource writes a secret into the program that was read from the environment: whoever reads the source, or the
// class file, has it, and it is the same everywhere.
func secretInSource() plant.Operator {
	secret := regexp.MustCompile(`(?i)^"[\w.-]*(secret|passw|api[_.-]?key|token[_.-]?key|signing|private[_.-]?key|credential)[\w.-]*"$`)
	from := regexp.MustCompile(`(?i)^System$|env|variables|prop|settings|config`)
	return plant.Operator{
		Name: "java/secret-in-source", Language: language, Split: env.Train, Category: "secrets", CWE: "CWE-798", Severity: "high", Hint: "String",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for v := range f.root.Find("variable_declarator") {
				call, t := v.ChildByField("value"), v.Parent().ChildByField("type").Text()
				as := args(call)
				switch called(call) {
				case "getenv", "getProperty", "get", "require", "required":
				default:
					continue
				}
				if t != "String" && t != "var" || len(as) != 1 || !secret.MatchString(as[0].Text()) || !from.MatchString(receiver(call).Text()) {
					continue
				}
				h := fnv.New64a()
				h.Write([]byte(f.path + v.Text()))
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(v, fmt.Sprintf("%s = \"%016x%016x\"", v.ChildByField("name").Text(), h.Sum64(), h.Sum64()*0x9e3779b97f4a7c15))},
					Description: fmt.Sprintf("%s holds %s as a literal instead of reading %s, so that everybody with the source has it", methodName(v), v.ChildByField("name").Text(), as[0].Text())})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  byte[] f() {\n    String key = System.getenv(\"TOKEN_KEY\");\n    return key.getBytes();\n  }\n}\n", "System.getenv(\"TOKEN_KEY\")", "\"17ad4439cfd5c23175dd36f307c2aa05\""),
			sample("class A{private final String pw=props.getProperty(\n\"db.password\");}\n", "pw=props.getProperty(\n\"db.password\")", "pw = \"f2ba0a029ec2136c814257e5388be7dc\""),
		},
		Never: []string{
			"class A {\n  String f() {\n    String key = \"TOKEN_KEY\";\n    String dir = System.getenv(\"DATA_DIR\");\n    return dir;\n  }\n}\n",
			"class A {\n  String f(Map<String, String> cells) {\n    String cell = cells.get(\"password\");\n    return cell;\n  }\n}\n",
		},
	}
}
