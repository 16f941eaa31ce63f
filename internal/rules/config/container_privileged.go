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
	for _, one := range pods(p) {
		for _, kind := range []string{"containers", "initContainers"} {
			for _, c := range items(get(one.spec, kind)) {
				if !hostTools.MatchString(scalar(get(c, "name"))+" "+scalar(get(c, "image"))) && kind == "containers" {
					reportPrivileges(p, get(c, "securityContext"))
				}
			}
		}
		for _, v := range items(get(one.spec, "volumes")) {
			if path := get(v, "hostPath", "path"); isDockerSocket(scalar(path)) || scalar(path) == "/" {
				p.ReportLine(path.Line, "of the host")
			}
		}
		if n := get(one.spec, "hostPID"); isTrue(n) {
			p.ReportLine(n.Line, "")
		}
	}
}
