package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// permissionWidened makes the method that decides over rights leave out one of its conditions. Other files trust it: what
// they guard is now open to more people.
func permissionWidened() plant.Operator {
	decides := regexp.MustCompile(`^(can|may)[A-Z]|^is(Allowed|Permitted|Authori[sz]ed)|^has(Access|Permission|Right)`)
	return plant.Operator{
		Name: "java/permission-widened", Language: language, Split: env.Train, Category: "auth", CWE: "CWE-863", Severity: "critical", CrossFile: true, Hint: "&&",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for m := range f.root.Find("method_declaration") {
				if m.ChildByField("type").Text() != "boolean" || !decides.MatchString(m.ChildByField("name").Text()) {
					continue
				}
				users := f.callers(m)
				if len(users) == 0 {
					continue
				}
				for r := range m.Find("return_statement") {
					value := bare(r.NamedChild(0))
					if operator(value) != "&&" || method(r) != m {
						continue
					}
					found = append(found, plant.Site{Edits: []plant.Edit{f.replace(r, "return "+left(value).Text()+";")},
						Description: fmt.Sprintf("%s.%s no longer asks for %s, and %s in %s relies on it alone", className(m), m.ChildByField("name").Text(), short(right(value).Text()), methodName(users[0].call), fileName(users[0].path))})
				}
			}
			return found
		}),
		Samples: []plant.Sample{
			among(map[string]string{
				"src/Access.java": "class Access {\n  boolean canEdit(String user, String owner) {\n    return !suspended.contains(user) && owner.equals(user);\n  }\n}\n",
				"src/Rules.java":  "class Rules {\n  private final Access access;\n  void f(String user) {\n    if (!access.canEdit(user, \"x\")) {\n      throw new SecurityException();\n    }\n  }\n}\n",
			}, "src/Access.java", " && owner.equals(user)", ""),
			among(map[string]string{
				"Rights.java": "class Rights{static boolean isAllowed(User u){return( u.active()\n&&u.admin() );}}\n",
				"Page.java":   "class Page{void f(User u){if(Rights.isAllowed(u))open();}}\n",
			}, "Rights.java", "return( u.active()\n&&u.admin() );", "return u.active();"),
		},
		Never: []string{
			"class A {\n  boolean canEdit(String user, String owner) {\n    return active(user) && owner.equals(user);\n  }\n  void f(A a, String user) {\n    a.canEdit(user, user);\n  }\n}\n",
			"class A {\n  boolean canEdit(String user, String owner) {\n    return owner.equals(user);\n  }\n}\n",
		},
	}
}
