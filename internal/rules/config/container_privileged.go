package config

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) ContainerPrivileged(p *rule.Pass) {
	if forDevelopers(p) || strings.Contains(p.Path, ".github/") {
		return
	}
	for _, s := range services(p) {
		if hostTools.MatchString(s.name + " " + scalar(get(s.node, "image"))) {
			continue
		}
		reportPrivileges(p, s.node)
		for _, v := range items(get(s.node, "volumes")) {
			source := scalar(get(v, "source"))
			if source == "" {
				source, _, _ = strings.Cut(scalar(v), ":")
			}
			if isDockerSocket(source) {
				p.ReportLine(v.Line, "the socket of Docker")
			}
		}
	}
	for _, pod := range pods(p) {
		for _, c := range items(get(pod, "containers")) {
			reportPrivileges(p, get(c, "securityContext"))
		}
		for _, v := range items(get(pod, "volumes")) {
			if path := get(v, "hostPath", "path"); isDockerSocket(scalar(path)) || scalar(path) == "/" {
				p.ReportLine(path.Line, "of the host")
			}
		}
		if n := get(pod, "hostPID"); isTrue(n) {
			p.ReportLine(n.Line, "")
		}
	}
}
