package typescript

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// StaticIV encrypts everything with one initialisation vector of zeros: equal texts give equal ciphertexts, and with GCM
// two of them give the key for forging a third.
func (operators) StaticIV(p *plant.Project, path string) []plant.Site {
	var out []plant.Site
	for d := range find(p, path, "variable_declarator") {
		name, call := d.ChildByField("name").Text(), d.ChildByField("value")
		object, made := callee(call)
		args := arguments(call)
		if made != "randomBytes" || len(args) != 1 || !simple(args[0]) || !initialises(function(d), name) {
			continue
		}
		edits := []plant.Edit{replace(path, call, "Buffer.alloc("+args[0].Text()+")")}
		if !object.Valid() {
			more, _ := reimport(p, path, made, 1, "")
			edits = append(edits, more...)
		}
		out = append(out, site(edits, "%s encrypts every text with the same all-zero %s under one key, so equal texts show and the cipher's protection is lost.", where(d), short(name)))
	}
	return out
}

// initialises says whether a function gives the variable to a cipher as its initialisation vector.
func initialises(fn syntax.Node, name string) bool {
	for call := range fn.Find("call_expression") {
		_, made := callee(call)
		if args := arguments(call); made == "createCipheriv" && len(args) > 2 && args[2].Text() == name {
			return true
		}
	}
	return false
}
