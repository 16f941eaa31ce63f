package config

import (
	"errors"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"go.yaml.in/yaml/v3"
)

const (
	maxYAML      = 512 << 10 // bytes of a file; more is data
	maxDocuments = 200
	maxMerges    = 4   // <<: *base within <<: *base
	maxMerged    = 100 // keys of it
	maxEntries   = 1000
)

// documents gives the documents of a YAML file in which every one of the words stands; none where it does not parse.
func documents(p *rule.Pass, words ...string) []*yaml.Node {
	if p.Language != "yaml" {
		return nil
	}
	text := rule.Memo(p, "config.text", func() string { return strings.Join(p.Lines(), "\n") })
	if len(text) > maxYAML {
		return nil
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			return nil
		}
	}
	return rule.Memo(p, "config.documents", func() []*yaml.Node { return parse(text) })
}

func parse(text string) []*yaml.Node {
	var all []*yaml.Node
	decoder := yaml.NewDecoder(strings.NewReader(text))
	for len(all) < maxDocuments {
		var n yaml.Node
		err := decoder.Decode(&n)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			return nil
		}
		if len(n.Content) == 1 {
			all = append(all, n.Content[0])
		}
	}
	return all
}

// get is the value at a path of keys, nil where there is none. Keys that a mapping takes over from another (<<: *base) count; a
// value that is an alias does not, since what it stands for is read where it stands.
func get(n *yaml.Node, keys ...string) *yaml.Node {
	for _, k := range keys {
		n = value(n, k, 0)
	}
	return n
}

func value(n *yaml.Node, key string, depth int) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode || depth > maxMerges {
		return nil
	}
	var merged *yaml.Node
	for i := 0; i+1 < len(n.Content) && (depth == 0 || i < 2*maxMerged); i += 2 {
		switch n.Content[i].Value {
		case key:
			return n.Content[i+1]
		case "<<":
			merged = n.Content[i+1].Alias
		}
	}
	return value(merged, key, depth+1)
}

// entry is a key of a mapping with its value.
type entry struct{ key, value *yaml.Node }

// entries gives at most maxEntries of a mapping.
func entries(n *yaml.Node) []entry {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var all []entry
	for i := 0; i+1 < len(n.Content) && len(all) < maxEntries; i += 2 {
		all = append(all, entry{n.Content[i], n.Content[i+1]})
	}
	return all
}

// items gives at most maxEntries elements of a list.
func items(n *yaml.Node) []*yaml.Node {
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content[:min(len(n.Content), maxEntries)]
}

// scalar is the text of a plain value, "" for anything else.
func scalar(n *yaml.Node) string {
	if n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

func isTrue(n *yaml.Node) bool { return strings.EqualFold(scalar(n), "true") }
