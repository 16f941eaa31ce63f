package config

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"go.yaml.in/yaml/v3"
)

// service is a container that Compose starts.
type service struct {
	name string
	node *yaml.Node
}

var composeName = regexp.MustCompile(`(?i)(^|/)(docker-)?(compose|stack)[^/]*\.ya?ml$`)

// services gives the services of a file for Compose.
func services(p *rule.Pass) []service {
	if !composeName.MatchString(p.Path) {
		return nil
	}
	var all []service
	for _, d := range documents(p, "services:") {
		for _, e := range entries(get(d, "services")) {
			all = append(all, service{e.key.Value, e.value})
		}
	}
	return all
}

var stockImage = regexp.MustCompile(`(?i)mysql|maria|percona|postg|timescale|pgvector|cockroach|mssql|oracle|hana|db2|mongo|redis|valkey|` +
	`memcache|cassandra|spanner|dynamodb|clickhouse|elasticsearch|opensearch|rabbitmq|kafka|zookeeper|mailhog|mailpit`)

// onlyStock tells whether services are databases and the like as anybody fetches them, and nothing of the program's own: they are
// for its developers and its tests.
func onlyStock(all []service) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(s service) bool {
		return get(s.node, "build") != nil || !stockImage.MatchString(scalar(get(s.node, "image")))
	})
}

// pods gives the specifications of the pods that a file for Kubernetes describes, those of agents left out, which a node is run with.
func pods(p *rule.Pass) []*yaml.Node {
	var all []*yaml.Node
	for _, d := range documents(p, "apiVersion:", "kind:", "containers:") {
		spec := get(d, "spec")
		switch scalar(get(d, "kind")) {
		case "Pod":
		case "CronJob":
			spec = get(spec, "jobTemplate", "spec", "template", "spec")
		case "Deployment", "StatefulSet", "ReplicaSet", "Job", "ReplicationController":
			spec = get(spec, "template", "spec")
		default:
			continue
		}
		if !systems.MatchString(scalar(get(d, "metadata", "namespace"))) && !needsHost(spec) {
			all = append(all, spec)
		}
	}
	return all
}

// needsHost tells whether one of a pod's containers is known to need the host.
func needsHost(spec *yaml.Node) bool {
	return slices.ContainsFunc(items(get(spec, "containers")), func(c *yaml.Node) bool {
		return hostTools.MatchString(scalar(get(c, "name")) + " " + scalar(get(c, "image")))
	})
}

var systems = regexp.MustCompile(`^kube-|-system$|monitoring`)

// What is known to need the host that it runs on.
var hostTools = regexp.MustCompile(`(?i)traefik|portainer|watchtower|proxy|docker([^.]|$)|acme-companion|runner|autoheal|dozzle|cadvisor|` +
	`telegraf|datadog|promtail|fluent|beat\b|drone|jenkins|dind|agent|exporter|netdata|buildkit|builder|k3s|localstack|diun|` +
	`glances|homepage|homarr|loki|otel|alloy|csi|cni|falco|cilium|calico|backup|vpn|wireguard|gateway|iptables|sidecar|plugin|sandbox|` +
	`executor|judge|kvm|libvirt|nfs|storage|minikube|sysctl|android|emulator|home-?assistant|zigbee|frigate|plex|` +
	`sysdig|newrelic|new-relic|weave|dynatrace`)

// reportPrivileges reports what a container is given that makes it as good as root on its host.
func reportPrivileges(p *rule.Pass, node *yaml.Node) {
	if n := get(node, "privileged"); isTrue(n) {
		p.ReportLine(n.Line, "")
	}
	for _, list := range []*yaml.Node{get(node, "cap_add"), get(node, "capabilities", "add")} {
		for _, c := range items(list) {
			if name := strings.TrimPrefix(strings.ToUpper(c.Value), "CAP_"); name == "ALL" || name == "SYS_ADMIN" {
				p.ReportLine(c.Line, "capability "+name)
			}
		}
	}
}

func isDockerSocket(path string) bool {
	return path == "/var/run/docker.sock" || path == "/run/docker.sock" || path == "/run/containerd/containerd.sock"
}
