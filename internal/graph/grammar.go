package graph

import (
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// does says what a kind of node is to the collector.
type does uint8

const (
	_        does = iota
	defines       // defines a symbol of rule.kind, whose name is in field a; b is the field of its result's type
	callee        // calls what is in field a; b "super" is Python's super()
	invokes       // calls b of the object in field a; c "new" means that a method of that name makes an instance
	members       // is member b of the object in field a
	makes         // is an instance of the type in field a
	names         // is a name
	paths         // is a qualified name, in one text
	special       // is the chain a
	literals      // is a value of the language's own types
	through       // is what is in field a, or its first child
	assigns       // binds what is in field a to what is in b, of the type in c
	takes         // is a parameter that is called as in field a, of the type in c
	opens         // is a function without a name: what it binds is local
	ignores       // holds no names that count
)

// rule is one row of a language's table of node kinds.
type rule struct {
	does    does
	a, b, c string
	kind    Kind
	// skip is a field whose child is a name but no use of one: a keyword's, a key.
	skip string
	// hook looks at the node first, and says whether the rest is done as well; nil does nothing.
	hook func(c *collector, n syntax.Node) bool
	// named gives the name of a definition where that is in no field a.
	named func(c *collector, n syntax.Node) string
	// chain gives the chain of a node that fits none of the forms.
	chain func(c *collector, n syntax.Node) string
}

// grammar is what the collector has to know of a language.
type grammar struct {
	table map[string]rule
	// define completes a symbol: exported, bases, owner, its parameters' bindings.
	define func(c *collector, n syntax.Node, s *symbol)
	// unwrapType gives the type within a type: T of Optional[T].
	unwrapType func(n syntax.Node) syntax.Node
	// memberBinds makes an assignment to a member of this a field of the class.
	memberBinds bool
	// variables says whether assignments outside of functions define symbols.
	variables bool
	// bareMember says that a method's own class's members are named without a receiver: Java.
	bareMember bool
}

var grammars = map[string]*grammar{
	"go": &golang, "python": &python, "javascript": &javascript, "java": &java, "c": &clang, "php": &php, "ruby": &ruby,
}

// grammarOf is the grammar of a language, nil for none. What C's knows is too little for C++.
func grammarOf(name string) *grammar {
	if name == "cpp" {
		return nil
	}
	return grammars[language.Family(name)]
}
