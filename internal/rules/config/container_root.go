package config

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var changesUser = regexp.MustCompile(`\b(gosu|su-exec|setpriv|s6-|runuser|chroot|supervisord|crond?|sshd|systemd|dockerd)\b|\bsu - `)

func (*checks) ContainerRoot(p *rule.Pass) {
	if forDevelopers(p) {
		return
	}
	user, starts, changes := 0, false, false
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
	if user > 0 && starts && !changes {
		p.ReportLine(user, "")
	}
	for _, pod := range pods(p) {
		nodes := items(get(pod, "containers"))
		for _, c := range append(nodes, pod) {
			if n := get(c, "securityContext", "runAsUser"); scalar(n) == "0" {
				p.ReportLine(n.Line, "")
			}
		}
	}
}
