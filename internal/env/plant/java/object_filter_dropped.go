package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// objectFilterDropped reads objects of any class out of a stream: building them runs code of those classes, which is
// enough to run anything for whoever writes the stream.
func objectFilterDropped() plant.Operator {
	return plant.Operator{
		Name: "java/object-filter-dropped", Language: language, Split: env.Heldout, Category: "deserialization", CWE: "CWE-502", Severity: "critical", Hint: "setObjectInputFilter",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for s := range f.root.Find("expression_statement") {
				call := s.NamedChild(0)
				if called(call) != "setObjectInputFilter" || !next(s).Valid() {
					continue
				}
				if e, ok := f.drop(s); ok {
					found = append(found, plant.Site{Edits: []plant.Edit{e},
						Description: fmt.Sprintf("%s reads objects from %s without a filter of classes, so that a prepared file can run code", methodName(s), receiver(call).Text())})
				}
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  Object f(InputStream raw) throws Exception {\n    var in = new ObjectInputStream(raw);\n    in.setObjectInputFilter(FILTER);\n    return in.readObject();\n  }\n}\n", "    in.setObjectInputFilter(FILTER);\n", ""),
			sample("class A{Object f(ObjectInputStream in)throws Exception{in.setObjectInputFilter( i->\nStatus.REJECTED );Object o=in.readObject();return o;}}\n", "in.setObjectInputFilter( i->\nStatus.REJECTED );Object", "Object"),
		},
		Never: []string{
			"class A {\n  Object f(ObjectInputStream in) throws Exception {\n    return in.readObject();\n  }\n}\n",
			"class A {\n  void f(ObjectInputStream in) throws Exception {\n    in.setObjectInputFilter(FILTER);\n  }\n}\n",
		},
	}
}
