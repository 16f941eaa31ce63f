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
	p.ReportWhere(p.Nodes("assignment"), func(n rule.Node) bool {
		return strings.HasSuffix(n.ChildByField("left").Text(), "verify_mode") && none(n.ChildByField("right")) && !chosen(n)
	})
	p.ReportWhere(p.Nodes("pair"), func(n rule.Node) bool {
		key, v := strings.Trim(n.ChildByField("key").Text(), ":\"'"), n.ChildByField("value")
		outer := n.Enclosing("pair").ChildByField("key").Text()
		return (strings.HasSuffix(key, "verify_mode") && none(v) ||
			key == "verify" && v.Text() == "false" && strings.Trim(outer, ":") == "ssl" ||
			key == "verify_ssl" && (v.Text() == "false" || none(v))) && !chosen(n)
	})
}

var certificateCheckOffOption = regexp.MustCompile(`(?i)verif|ssl|insecure|self.?sign|cert|tls|trust`)
