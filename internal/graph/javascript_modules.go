package graph

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// required brings in what const x = require("y") and const {a, b: c} = require("y") name.
func (c *collector) required(n, name, v syntax.Node) {
	module := scriptRequired(v)
	switch name.Kind() {
	case "identifier":
		c.bring(n, module, "", name.Text(), false)
	case "object_pattern":
		for p := range name.NamedChildren() {
			switch p.Kind() {
			case "shorthand_property_identifier_pattern":
				c.bring(n, module, p.Text(), p.Text(), false)
			case "pair_pattern":
				c.bring(n, module, p.ChildByField("key").Text(), p.ChildByField("value").Text(), false)
			}
		}
	}
}

func scriptImport(c *collector, n syntax.Node) bool {
	module := strings.Trim(n.ChildByField("source").Text(), `"'`)
	clauses := 0
	for clause := range n.NamedChildren() {
		if clause.Kind() != "import_clause" {
			continue
		}
		clauses++
		for p := range clause.NamedChildren() {
			switch p.Kind() {
			case "identifier":
				c.bring(n, module, "default", p.Text(), false)
			case "namespace_import":
				c.bring(n, module, "", p.NamedChild(0).Text(), false)
			case "named_imports":
				for s := range p.NamedChildren() {
					name := s.ChildByField("name").Text()
					as := s.ChildByField("alias").Text()
					if as == "" {
						as = name
					}
					c.bring(s, module, name, as, false)
				}
			}
		}
	}
	if clauses == 0 {
		c.bring(n, module, "", "", false)
	}
	return false
}

// scriptExport brings in what is handed on, and says which of the file's own names go by another name outside. Such a
// name is brought in from the module self.
func scriptExport(c *collector, n syntax.Node) bool {
	source := n.ChildByField("source")
	module := self
	if source.Valid() {
		module = strings.Trim(source.Text(), `"'`)
	}
	found := false
	for p := range n.NamedChildren() {
		switch p.Kind() {
		case "export_clause":
			found = true
			for s := range p.NamedChildren() {
				name, as := s.ChildByField("name").Text(), s.ChildByField("alias").Text()
				if as == "" {
					as = name
				}
				c.export(n, module, name, as)
			}
		case "namespace_export":
			found = true
			c.export(n, module, "", p.NamedChild(0).Text())
		}
	}
	if source.Valid() {
		if !found {
			c.export(n, module, "*", "")
		}
		return false
	}
	if v := n.ChildByField("value"); v.Valid() { // export default x
		if chain := c.value(v); chain != "" {
			c.export(n, self, strings.TrimSuffix(chain, "()"), "default")
		}
	}
	return true
}

func (c *collector) export(n syntax.Node, module, name, as string) {
	if module == self && name != "" && as != "default" {
		for i := range c.facts.Symbols {
			if s := &c.facts.Symbols[i]; s.Parent < 0 && s.Name == name {
				s.Exported = true
			}
		}
	}
	c.bring(n, module, name, as, true)
}

// scriptAssign knows the assignments that define and export: module.exports = x, exports.f = ..., A.prototype.m = ....
func scriptAssign(c *collector, n syntax.Node) bool {
	left, right := n.ChildByField("left"), n.ChildByField("right")
	chain := c.value(left)
	switch {
	case chain == "module.exports" && right.Kind() == "object":
		for p := range right.NamedChildren() {
			switch p.Kind() {
			case "shorthand_property_identifier":
				c.export(n, self, p.Text(), p.Text())
			case "pair":
				if v := c.value(p.ChildByField("value")); v != "" {
					c.export(n, self, v, c.nameText(p.ChildByField("key")))
				}
			}
		}
	case chain == "module.exports":
		if m := scriptRequired(right); m != "" {
			c.export(n, m, "*", "")
		} else if v := c.value(right); v != "" {
			c.export(n, self, v, "default")
		}
	case strings.HasPrefix(chain, "exports.") || strings.HasPrefix(chain, "module.exports."):
		parts := split(chain)
		name := parts[len(parts)-1]
		if right.Is(scriptFunctions...) {
			if s := c.add(n, name, KindFunction, "", true); s != nil {
				s.Exported = true
			}
		} else if v := c.value(right); v != "" && !strings.HasSuffix(v, "()") {
			c.export(n, self, v, name)
		}
	case strings.Contains(chain, ".prototype.") && right.Is(scriptFunctions...):
		owner, name, _ := strings.Cut(chain, ".prototype.")
		if s := c.add(n, name, KindMethod, "", true); s != nil {
			s.Owner = owner
		}
	case strings.HasPrefix(chain, this+"."):
		c.field(strings.TrimPrefix(chain, this+"."), c.value(right))
	}
	return true
}
