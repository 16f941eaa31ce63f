package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ElectronUnprotected(p *rule.Pass) {
	for _, n := range p.Nodes("pair") {
		if n.ChildByField("key").Text() != "webPreferences" {
			continue
		}
		o := n.ChildByField("value")
		is := func(key, value string) bool { return property(p, o, key).Text() == value }
		switch {
		case is("webSecurity", "false"):
			p.Report(property(p, o, "webSecurity").Parent(), "")
		case is("allowRunningInsecureContent", "true"):
			p.Report(property(p, o, "allowRunningInsecureContent").Parent(), "")
		case is("nodeIntegration", "true") && is("contextIsolation", "false"):
			p.Report(property(p, o, "nodeIntegration").Parent(), "")
		}
	}
}
