package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// escapeGap leaves the sign that begins a tag out of the method that makes texts safe for pages. The files that call it
// put what it returns into pages, where a text may now bring its own tags.
func escapeGap() plant.Operator {
	escapes := regexp.MustCompile(`(?i)escape|sanitiz|encode|^esc$`)
	return plant.Operator{
		Name: "java/escape-gap", Language: language, Split: env.Train, Category: "xss", CWE: "CWE-116", Severity: "high", Hint: "replace",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for m := range f.root.Find("method_declaration") {
				if !escapes.MatchString(m.ChildByField("name").Text()) || m.ChildByField("type").Text() != "String" {
					continue
				}
				users := f.callers(m)
				if len(users) == 0 {
					continue
				}
				for call := range m.Find("method_invocation") {
					what := ""
					if as := args(call); called(call) == "replace" && len(as) == 2 {
						what = as[0].Text()
					}
					on := receiver(call)
					if what != `"<"` && what != `'<'` {
						continue
					}
					start := call.Start()
					if on.Kind() == "method_invocation" && receiver(on).Valid() {
						start = receiver(on).End()
					}
					found = append(found, plant.Site{Edits: []plant.Edit{f.edit(start, call.End(), f.text[start:on.End()])},
						Description: fmt.Sprintf("%s.%s no longer replaces %s, and %s in %s puts its result into a page", className(m), m.ChildByField("name").Text(), what, methodName(users[0].call), fileName(users[0].path))})
				}
			}
			return found
		}),
		Samples: []plant.Sample{
			among(map[string]string{
				"src/Html.java": "class Html {\n  static String escape(String s) {\n    return s.replace(\"&\", \"&amp;\").replace(\"<\", \"&lt;\").replace(\">\", \"&gt;\");\n  }\n}\n",
				"src/Page.java": "class Page {\n  String f(Row r) {\n    return \"<p>\" + Html.escape(r.name());\n  }\n}\n",
			}, "src/Html.java", ".replace(\"<\", \"&lt;\")", ""),
			among(map[string]string{
				"Text.java": "class Text{String sanitize(String s){return s.replace( \"<\",\"&lt;\" )\n.replace(\"&\",\"\");}}\n",
				"Page.java": "class Page{Text text;String f(String s){return \"<a title='\"+text.sanitize(s)+\"'>\";}}\n",
			}, "Text.java", "s.replace( \"<\",\"&lt;\" )\n", "s\n"),
		},
		Never: []string{
			"class A {\n  static String escape(String s) {\n    return s.replace(\"<\", \"&lt;\");\n  }\n  String f(String s) {\n    return A.escape(s);\n  }\n}\n",
			"class A {\n  static String shorten(String s) {\n    return s.replace(\"<\", \"\");\n  }\n}\n",
		},
	}
}
