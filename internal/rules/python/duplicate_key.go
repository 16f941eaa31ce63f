package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) DuplicateKey(p *rule.Pass) {
	for _, d := range p.Nodes("dictionary") {
		values := map[string]string{}
		for c := range d.NamedChildren() {
			if c.Kind() == "dictionary_splat" {
				clear(values)
			}
			k := c.ChildByField("key")
			if c.Kind() != "pair" || k.Kind() != "string" && k.Kind() != "integer" || k.Kind() == "string" && !p.Constant(k) {
				continue
			}
			value := c.ChildByField("value").Text()
			if old, ok := values[k.Text()]; ok && old != value {
				p.Report(c, "the key is "+k.Text())
			}
			values[k.Text()] = value
		}
	}
}
