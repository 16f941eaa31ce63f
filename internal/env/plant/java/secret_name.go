package java

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// headerDecoy gives the name of a header, or of a variable, a constant that sounds like the secret itself.
func headerDecoy() plant.Operator {
	secret := regexp.MustCompile(`(?i)^"[\w-]*(api[_-]?key|token|secret|password)[\w-]*"$`)
	return plant.Operator{
		Name: "java/secret-name", Language: language, Split: env.Train, Category: "secrets", CWE: "CWE-798", Severity: "high", Decoy: true,
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for l := range f.root.Find("string_literal") {
				call := l.Parent().Parent()
				switch called(call) {
				case "header", "setHeader", "getHeader", "addHeader", "setRequestProperty", "get", "getenv", "getProperty":
				default:
					continue
				}
				if !secret.MatchString(l.Text()) || args(call)[0] != l {
					continue
				}
				name := strings.ToUpper(strings.Trim(strings.NewReplacer("X-", "", "-", "_", ".", "_").Replace(l.Text()), `"`))
				body := class(l).ChildByField("body")
				if mentions(f.root, name) || body.Kind() != "class_body" || class(l).Parent().Kind() != "program" || body.NumNamed() == 0 {
					continue
				}
				first := firstMember(body)
				found = append(found, plant.Site{Edits: []plant.Edit{
					f.edit(first.Start(), first.Start(), fmt.Sprintf("private static final String %s = %s;\n%s", name, l.Text(), f.indent(first.Start()))),
					f.replace(l, name),
				}, Description: fmt.Sprintf("%s holds the name %s under which the value is looked up or sent, not the value", name, l.Text())})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  void f(Builder b, String key) {\n    b.header(\"X-Api-Key\", key);\n  }\n}\n", "  void f", "  private static final String API_KEY = \"X-Api-Key\";\n  void f", "\"X-Api-Key\", key", "API_KEY, key"),
			sample("class A{\n/** Reads. */\nString f(Map<String,String> env){return env.get( \"DB_PASSWORD\" );}}\n", "/** Reads. */", "private static final String DB_PASSWORD = \"DB_PASSWORD\";\n/** Reads. */", "env.get( \"DB_PASSWORD\"", "env.get( DB_PASSWORD"),
		},
		Never: []string{
			"class A {\n  static final String API_KEY = \"X-Api-Key\";\n  void f(Builder b, String key) {\n    b.header(API_KEY, key);\n  }\n}\n",
			"class A {\n  void f(Builder b, String key) {\n    b.header(\"Accept\", key);\n    b.query(\"api_key\", key);\n  }\n}\n",
		},
	}
}

// firstMember is what a class body begins with, its comment included.
func firstMember(body syntax.Node) syntax.Node { return body.NamedChild(0) }
