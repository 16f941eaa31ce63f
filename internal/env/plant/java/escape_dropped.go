package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// escapeDropped writes a text into a page as it is: markup in it becomes part of the page, scripts run.
func escapeDropped() plant.Operator {
	escapes := regexp.MustCompile(`^(escape|escapeHtml[0-9]?|escapeXml|htmlEscape|encodeForHtml|forHtml|esc)$`)
	return plant.Operator{
		Name: "java/escape-dropped", Language: language, Split: env.Train, Category: "xss", CWE: "CWE-79", Severity: "high",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for call := range f.root.Find("method_invocation") {
				as := args(call)
				if !escapes.MatchString(called(call)) || len(as) != 1 || as[0].Kind() == "string_literal" || receiver(as[0]).Text() == "String" && called(as[0]) == "valueOf" {
					continue
				}
				up := call.Parent()
				if operator(up) != "+" && !(up.Kind() == "argument_list" && called(up.Parent()) == "append") {
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(call, as[0].Text())},
					Description: fmt.Sprintf("%s writes %s into the page without escaping it, so that markup in it runs in the reader's browser", methodName(call), short(as[0].Text()))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  String f(Row row) {\n    return \"<li>\" + Html.escape(row.name()) + \"</li>\";\n  }\n}\n", "Html.escape(row.name())", "row.name()"),
			sample("class A{void f(StringBuilder b,String s){b.append(\"<p>\").append(StringEscapeUtils\n.escapeHtml4( s )).append(\"</p>\");}}\n", "StringEscapeUtils\n.escapeHtml4( s )", "s"),
		},
		Never: []string{
			"class A {\n  String f(Row row) {\n    return \"<li>\" + row.name() + \"</li>\";\n  }\n}\n",
			"class A {\n  String f(Row row) {\n    return \"<li>\" + Html.escape(String.valueOf(row.id())) + \"</li>\" + URLEncoder.encode(row.name());\n  }\n}\n",
		},
	}
}
