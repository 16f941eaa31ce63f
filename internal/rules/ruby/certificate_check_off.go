package ruby

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CertificateCheckOff(p *rule.Pass) {
	if strings.Contains(p.Path, "openssl/") {
		return // the library itself
	}
	none := func(n rule.Node) bool {
		return strings.HasSuffix(n.Text(), "VERIFY_NONE") && n.Kind() == "scope_resolution"
	}
	branches := []string{"if", "unless", "if_modifier", "unless_modifier", "conditional", "case", "when", "elsif"}
	chosen := func(n rule.Node) bool {
		return rule.Any(rule.Around(n, branches...), func(up rule.Node) bool {
			c := up.ChildByField("condition")
			return up.Is("case", "when") || certificateCheckOffOption.MatchString(c.Text()) || c.Is("identifier")
		})
	}
	for _, n := range p.Nodes("assignment") {
		if strings.HasSuffix(n.ChildByField("left").Text(), "verify_mode") && none(n.ChildByField("right")) && !chosen(n) {
			p.Report(n, "")
		}
	}
	for _, n := range p.Nodes("pair") {
		key, v := strings.Trim(n.ChildByField("key").Text(), ":\"'"), n.ChildByField("value")
		outer := n.Enclosing("pair").ChildByField("key").Text()
		if (strings.HasSuffix(key, "verify_mode") && none(v) ||
			key == "verify" && v.Text() == "false" && strings.Trim(outer, ":") == "ssl" ||
			key == "verify_ssl" && (v.Text() == "false" || none(v))) && !chosen(n) {
			p.Report(n, "")
		}
	}
}

var certificateCheckOffOption = regexp.MustCompile(`(?i)verif|ssl|insecure|self.?sign|cert|tls|trust`)
