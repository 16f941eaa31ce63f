package config

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var changesUser = regexp.MustCompile(`\b(gosu|su-exec|setpriv|s6-|runuser|chroot --userspec|supervisord|crond?|sshd|systemd|dockerd)\b|\bsu - `)

func (*checks) ContainerRoot(p *rule.Pass) {
	user, starts := 0, false
	changes := false
	for _, in := range instructions(p) {
		switch in.name {
		case "FROM":
			user, starts, changes = 0, false, false
		case "USER":
			user = 0
			if name, _, _ := strings.Cut(in.text(), ":"); name == "root" || name == "0" {
				user = in.line
			}
		case "CMD", "ENTRYPOINT":
			starts = true
		}
		changes = changes || changesUser.MatchString(in.text()) || in.name == "ENTRYPOINT" && strings.Contains(in.text(), ".sh")
	}
	if user > 0 && starts && !changes && !forDevelopers(p) {
		p.ReportLine(user, "")
	}
	for _, one := range pods(p) {
		if forDevelopers(p) {
			return
		}
		nodes := items(get(one.spec, "containers"))
		for _, c := range append(nodes, one.spec) {
			if n := get(c, "securityContext", "runAsUser"); scalar(n) == "0" && !hostTools.MatchString(scalar(get(c, "image"))) {
				p.ReportLine(n.Line, "")
			}
		}
	}
}
