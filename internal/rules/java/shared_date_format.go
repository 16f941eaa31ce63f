package java

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func sharedDateFormat() rule.Rule {
	return rule.Rule{
		ID: "java/shared-date-format", Title: "a SimpleDateFormat is shared between threads",
		Category: "concurrency", CWE: "CWE-362", Severity: "medium", Confidence: 0.85,
		Languages: []string{"java"},
		Explanation: "SimpleDateFormat keeps the date it works on in a field of its own. Two threads that format or parse at the same time get each other's dates, or a " +
			"NumberFormatException from nowhere, seldom enough to pass every test.",
		Suggestion: "Use java.time.format.DateTimeFormatter, which never changes; or a ThreadLocal, or a new instance for each use.",
		Bad: []rule.Sample{
			{Source: "class Log {\n  private static final SimpleDateFormat DAY = new SimpleDateFormat(\"yyyy-MM-dd\");\n  String line(Date d) {\n    return DAY.format(d);\n  }\n}\n"},
			{Source: "class Log {\n  static DateFormat day = new SimpleDateFormat(\"yyyy-MM-dd\");\n  static Date parse(String s) throws ParseException {\n    return day.parse(s);\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Log {\n  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern(\"yyyy-MM-dd\");\n  String line(LocalDate d) {\n    return DAY.format(d);\n  }\n}\n"},
			{Source: "class Log {\n  private static final SimpleDateFormat DAY = new SimpleDateFormat(\"yyyy-MM-dd\");\n  String line(Date d) {\n    synchronized (DAY) {\n      return DAY.format(d);\n    }\n  }\n}\n"},
			{Source: "class Log {\n  String line(Date d) {\n    SimpleDateFormat day = new SimpleDateFormat(\"yyyy-MM-dd\");\n    return day.format(d);\n  }\n}\n"},
			{Source: "class Log {\n  private static final SimpleDateFormat DAY = new SimpleDateFormat(\"yyyy-MM-dd\");\n  static synchronized String line(Date d) {\n    return DAY.format(d);\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for d := range p.Nodes("field_declaration") {
				if t := d.ChildByField("type").Text(); t != "SimpleDateFormat" && t != "DateFormat" || !hasModifier(d, "static") {
					continue
				}
				v := d.ChildByField("declarator")
				if callee(p, v.ChildByField("value")) != "SimpleDateFormat" {
					continue
				}
				name := v.ChildByField("name").Text()
				if use := unguardedUse(p, name); use.Valid() {
					p.Report(d, "used unguarded at line "+strconv.Itoa(use.Line()))
				}
			}
		},
	}
}

func hasModifier(d syntax.Node, word string) bool {
	m := d.NamedChild(0)
	if m.Kind() != "modifiers" {
		return false
	}
	for c := range m.Children() {
		if c.Text() == word {
			return true
		}
	}
	return false
}

// unguardedUse is a format or parse call on the field outside of any lock, the zero Node if there is none.
func unguardedUse(p *rule.Pass, name string) syntax.Node {
	for _, call := range p.Calls() {
		if m := p.Method(call); m != "format" && m != "parse" || strings.TrimPrefix(receiver(call).Text(), "this.") != name {
			continue
		}
		method := outermost(p, call)
		if method.Valid() && method.Kind() != "static_initializer" && !hasModifier(method, "synchronized") && !call.Enclosing("synchronized_statement").Valid() && !strings.Contains(method.Text(), ".lock()") {
			if t, local := declaredIn(method, name); !local || t == "" {
				return call
			}
		}
	}
	return syntax.Node{}
}
