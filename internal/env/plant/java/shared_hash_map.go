package java

import "strings"

// SharedHashMap makes a map that threads share one that only a single thread may use: entries get lost while it grows,
// and iterations throw.
func (*operators) SharedHashMap(f file) {
	for d := range f.Root.Find("field_declaration") {
		v := d.ChildByField("declarator")
		value, name, t := v.ChildByField("value"), v.ChildByField("name").Text(), base(d.ChildByField("type").Text())
		body := class(d).ChildByField("body").Text()
		text, now := "", ""
		switch {
		case strings.Contains(body, "synchronized") || strings.Contains(body, ".lock()"):
		case t == "Map" && value.Kind() == "object_creation_expression" && value.ChildByField("arguments").NumNamed() == 0 &&
			base(value.ChildByField("type").Text()) == "ConcurrentHashMap":
			now = "HashMap"
			_, types, ok := strings.Cut(value.ChildByField("type").Text(), "<")
			if text = "new HashMap<" + types + "()"; !ok {
				text = "new HashMap()"
			}
		case t == "Set" && called(value) == "newKeySet" && base(receiver(value).Text()) == "ConcurrentHashMap":
			now, text = "HashSet", "new HashSet<>()"
		}
		imports, ok := f.importing("java.util." + now)
		if text == "" || !ok {
			continue
		}
		f.ReportAll(f.Replace(v, f.Text[v.Start():value.Start()]+text).And(imports...),
			"%s.%s is a plain %s that several threads use at once without a lock: entries get lost and readers meet half-done changes", className(d),
			name, now)
	}
}
