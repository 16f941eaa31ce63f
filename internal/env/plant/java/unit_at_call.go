package java

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// unitAtCall hands a time in another unit to a method of another file: the method's parameter says which unit it wants,
// and the value is now a thousand times too small or too large.
func unitAtCall() plant.Operator {
	type change struct{ from, to, want, given string }
	changes := []change{
		{"toMillis", "toSeconds", "milliseconds", "seconds"}, {"toEpochMilli", "getEpochSecond", "milliseconds", "seconds"},
		{"toSeconds", "toMillis", "seconds", "milliseconds"}, {"getSeconds", "toMillis", "seconds", "milliseconds"}, {"getEpochSecond", "toEpochMilli", "seconds", "milliseconds"},
	}
	unit := map[string]*regexp.Regexp{"milliseconds": regexp.MustCompile(`(Millis|Ms)$|^millis$`), "seconds": regexp.MustCompile(`(Seconds|Secs)$|^seconds$`)}
	return plant.Operator{
		Name: "java/unit-at-call", Language: language, Split: env.Train, Category: "api-misuse", CWE: "CWE-628", Severity: "high", CrossFile: true,
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for inner := range f.root.Find("method_invocation") {
				call := inner.Parent().Parent()
				if inner.Parent().Kind() != "argument_list" || len(args(inner)) > 0 {
					continue
				}
				for _, c := range changes {
					if called(inner) != c.from {
						continue
					}
					path, name, ok := parameter(f, call, inner)
					if !ok || !unit[c.want].MatchString(name) {
						continue
					}
					found = append(found, plant.Site{Edits: []plant.Edit{f.edit(inner.Start(), inner.End(), receiver(inner).Text()+"."+c.to+"()")},
						Description: fmt.Sprintf("%s hands %s to the parameter %s, which %s takes as %s", methodName(call), c.given, name, fileName(path), c.want)})
				}
			}
			return found
		}),
		Samples: []plant.Sample{
			among(map[string]string{
				"src/Cache.java": "class Cache {\n  void put(String key, long ttlMillis) {\n    until.put(key, now() + ttlMillis);\n  }\n}\n",
				"src/Use.java":   "class Use {\n  private final Cache cache;\n  void f(Duration ttl) {\n    cache.put(\"a\", ttl.toMillis());\n  }\n}\n",
			}, "src/Use.java", "toMillis", "toSeconds"),
			among(map[string]string{
				"Pause.java": "class Pause{Pause(int tries,long seconds){this.seconds=seconds;}}\n",
				"Use.java":   "class Use{Pause p(Instant i){return new Pause(3,\ni.getEpochSecond( ));}}\n",
			}, "Use.java", "getEpochSecond( )", "toEpochMilli()"),
		},
		Never: []string{
			"class A {\n  void put(String key, long ttlMillis) {\n  }\n  void f(A other, Duration ttl) {\n    other.put(\"a\", ttl.toMillis());\n  }\n}\n",
			"class A {\n  void f(Unknown cache, Duration ttl) {\n    cache.put(\"a\", ttl.toSeconds());\n  }\n}\n",
		},
	}
}

// parameter is the parameter, in another file, that an argument of a call or creation goes to.
func parameter(f file, call, argument syntax.Node) (path, name string, ok bool) {
	at := -1
	for i, a := range args(call) {
		if a == argument {
			at = i
		}
	}
	var m syntax.Node
	switch call.Kind() {
	case "method_invocation":
		path, m = f.target(call)
	case "object_creation_expression":
		d, known := f.classes()[base(call.ChildByField("type").Text())]
		if !known || d.path == f.path {
			return "", "", false
		}
		path = d.path
		for c := range d.call.ChildByField("body").NamedChildren() {
			if c.Kind() == "constructor_declaration" && len(children(c.ChildByField("parameters"))) == len(args(call)) {
				m = c
			}
		}
	}
	params := children(m.ChildByField("parameters"))
	if at < 0 || len(params) != len(args(call)) {
		return "", "", false
	}
	name = params[at].ChildByField("name").Text()
	return path, name, name != "" && !strings.Contains(params[at].ChildByField("type").Text(), "Duration")
}
