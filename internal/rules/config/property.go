package config

import (
	"path"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"go.yaml.in/yaml/v3"
)

// property is one of a Spring application, its key in lower case and without dashes, as Spring compares them.
type property struct {
	key, value string
	line       int
}

var (
	springName = regexp.MustCompile(`(?i)^(application|bootstrap)(-[\w-]+)?\.(properties|ya?ml)$`)
	notInUse   = regexp.MustCompile(`(?i)dev|test|local|debug|demo|example|h2`)
)

// properties gives the properties of a Spring application, those of profiles for developers left out.
func properties(p *rule.Pass) []property {
	if !springName.MatchString(path.Base(p.Path)) || notInUse.MatchString(strings.TrimPrefix(path.Base(p.Path), "application")) {
		return nil
	}
	return rule.Memo(p, "config.properties", func() []property {
		if p.Language == "ini" {
			return ofLines(p.Lines())
		}
		var all []property
		for _, d := range documents(p) {
			profile := scalar(get(d, "spring", "config", "activate", "on-profile")) + scalar(get(d, "spring", "profiles"))
			if !notInUse.MatchString(profile) {
				all = flatten(all, d, "", 0)
			}
		}
		return all
	})
}

func ofLines(lines []string) []property {
	var all []property
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if at := strings.IndexAny(line, "=:"); at > 0 && line[0] != '#' && line[0] != '!' {
			all = append(all, property{relaxed(line[:at]), strings.TrimSpace(line[at+1:]), i + 1})
		}
	}
	return all
}

const maxDepth = 20

func flatten(all []property, n *yaml.Node, prefix string, depth int) []property {
	if depth > maxDepth {
		return all
	}
	for _, e := range entries(n) {
		key := prefix + relaxed(e.key.Value)
		switch {
		case e.value == nil:
		case e.value.Kind == yaml.ScalarNode:
			all = append(all, property{key, e.value.Value, e.value.Line})
		case e.value.Kind == yaml.SequenceNode && len(e.value.Content) > 0:
			all = append(all, property{key, scalar(e.value.Content[0]), e.value.Content[0].Line})
		case e.value.Kind == yaml.MappingNode && e.value.Anchor == "":
			all = flatten(all, e.value, key+".", depth+1)
		}
	}
	return all
}

func relaxed(key string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(key))
}

// reportProperty reports the properties of a key that have one of the values.
func reportProperty(p *rule.Pass, key string, values ...string) {
	for _, one := range properties(p) {
		if one.key == key && rule.OneOf(strings.ToLower(one.value), values...) {
			p.ReportLine(one.line, "")
		}
	}
}
