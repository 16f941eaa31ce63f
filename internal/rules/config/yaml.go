package config

import (
	"errors"
	"io"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"go.yaml.in/yaml/v3"
)

const (
	maxYAML      = 1 << 20 // bytes of a file; more is data
	maxDocuments = 200
	maxMerges    = 4 // <<: *base within <<: *base
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

// get is the value at a path of keys, nil where there is none.
func get(n *yaml.Node, keys ...string) *yaml.Node {
	for _, k := range keys {
		n = value(n, k, 0)
	}
	return n
}

func value(n *yaml.Node, key string, depth int) *yaml.Node {
	n = behind(n)
	if n == nil || n.Kind != yaml.MappingNode || depth > maxMerges {
		return nil
	}
	var merged *yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch n.Content[i].Value {
		case key:
			return behind(n.Content[i+1])
		case "<<":
			merged = n.Content[i+1]
		}
	}
	return value(merged, key, depth+1)
}

// behind is what an alias stands for.
func behind(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// entry is a key of a mapping with its value.
type entry struct {
	key   *yaml.Node
	value *yaml.Node
}

func entries(n *yaml.Node) []entry {
	n = behind(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	var all []entry
	for i := 0; i+1 < len(n.Content); i += 2 {
		all = append(all, entry{n.Content[i], behind(n.Content[i+1])})
	}
	return all
}

// items gives the elements of a list.
func items(n *yaml.Node) []*yaml.Node {
	n = behind(n)
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	var all []*yaml.Node
	for _, c := range n.Content {
		all = append(all, behind(c))
	}
	return all
}

// scalar is the text of a plain value, "" for anything else.
func scalar(n *yaml.Node) string {
	if n = behind(n); n == nil || n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

func isTrue(n *yaml.Node) bool { return strings.EqualFold(scalar(n), "true") }
