package typescript

import "github.com/deeprepo/deeprepo/internal/syntax"

// StaticIV encrypts everything with one initialisation vector of zeros: equal texts give equal ciphertexts, and with GCM
// two of them give the key for forging a third.
func (*operators) StaticIV(f file) {
	for d := range f.Root.Find("variable_declarator") {
		name, call := d.ChildByField("name").Text(), d.ChildByField("value")
		object, made := callee(call)
		args := arguments(call)
		if made != "randomBytes" || len(args) != 1 || !simple(args[0]) || !initialises(function(d), name) {
			continue
		}
		f.reportGone(object,
			made, f.Replace(call, "Buffer.alloc("+args[0].Text()+")"),
			"%s encrypts every text with the same all-zero %s under one key, so equal texts show and the cipher's protection is lost.", where(d),
			short(name))
	}
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
