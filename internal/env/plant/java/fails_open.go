package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// failsOpen lets a test succeed when it could not be made: whoever can make it fail gets through.
func failsOpen() plant.Operator {
	tests := regexp.MustCompile(`^(is|has|can|may|verif|check|valid|allow|accept|genuine|match|authent|sign|trust|permit|intact|seal)`)
	return plant.Operator{
		Name: "java/fails-open", Language: language, Split: env.Heldout, Category: "error-handling", CWE: "CWE-636", Severity: "high", Hint: "catch",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for c := range f.root.Find("catch_clause") {
				m, body := method(c), children(c.ChildByField("body"))
				if len(body) == 0 || m.ChildByField("type").Text() != "boolean" || !tests.MatchString(methodName(c)) {
					continue
				}
				last := body[len(body)-1]
				if last.Kind() != "return_statement" || last.NamedChild(0).Text() != "false" {
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(last, "return true;")},
					Description: fmt.Sprintf("%s answers true when its check fails with an exception, so that what could not be checked counts as good", methodName(c))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  boolean verify(byte[] b) {\n    try {\n      return sign(b);\n    } catch (GeneralSecurityException e) {\n      log(e);\n      return false;\n    }\n  }\n}\n", "return false;", "return true;"),
			sample("class A{boolean isSigned(Row r){try{check(r);return true;}catch(IOException|BadRow e){return  false ;}}}\n", "return  false ;", "return true;"),
		},
		Never: []string{
			"class A {\n  boolean verify(byte[] b) {\n    try {\n      return sign(b);\n    } catch (GeneralSecurityException e) {\n      return true;\n    }\n  }\n}\n",
			"class A {\n  boolean save(byte[] b) {\n    try {\n      return write(b);\n    } catch (IOException e) {\n      return false;\n    }\n  }\n}\n",
		},
	}
}
