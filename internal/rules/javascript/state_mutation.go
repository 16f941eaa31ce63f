package javascript

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// stateMutation looks for React state changed in place.
func stateMutation() rule.Rule {
	return rule.Rule{
		ID: "javascript/state-mutation", Title: "React state changed in place",
		Category: "logic", CWE: "", Severity: "medium", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "React compares the old and the new state by identity. An array or object changed in place is still the same one, so the component is not drawn again and shows old data.",
		Suggestion:  "Set a new value: setItems([...items, item]).",
		Bad: []rule.Sample{
			{Path: "src/app.tsx", Source: "import { useState } from 'react';\n\nexport function List() {\n  const [items, setItems] = useState([]);\n  const add = (x) => {\n    items.push(x);\n    setItems(items);\n  };\n  return <button onClick={add} />;\n}\n"},
			{Path: "src/app.jsx", Source: "import { useState } from 'react';\n\nexport function Form() {\n  const [form, setForm] = useState({});\n  const change = (e) => {\n    form.name = e.target.value;\n    setForm(form);\n  };\n  return <input onChange={change} />;\n}\n"},
		},
		Good: []rule.Sample{
			{Path: "src/app.tsx", Source: "import { useState } from 'react';\n\nexport function List() {\n  const [items, setItems] = useState([]);\n  const add = (x) => setItems([...items, x]);\n  return <button onClick={add} />;\n}\n"},
			{Path: "src/app.jsx", Source: "import { useState } from 'react';\n\nexport function Form() {\n  const [node] = useState(() => new Canvas());\n  const draw = (p) => node.push(p);\n  return <input onChange={draw} />;\n}\n"},
			{Path: "src/app.jsx", Source: "import { useState } from 'react';\n\nexport function Form() {\n  const [errors, setErrors] = useState({});\n  const check = () => {\n    const errors = {};\n    errors.name = 'missing';\n    setErrors(errors);\n  };\n  return <input onChange={check} />;\n}\n"},
			{Path: "src/app.jsx", Source: "import { useState } from 'react';\n\nexport function List() {\n  const [items, setItems] = useState([]);\n  const add = (x) => {\n    const next = items.slice();\n    next.push(x);\n    setItems(next);\n  };\n  return <button onClick={add} />;\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for d := range p.Nodes("variable_declarator") {
				pattern, call := d.ChildByField("name"), d.ChildByField("value")
				if pattern.Kind() != "array_pattern" || pattern.NumNamed() != 2 || rule.LastName(p.Callee(call)) != "useState" {
					continue
				}
				state, set := pattern.NamedChild(0).Text(), pattern.NamedChild(1).Text()
				for c := range p.Scope(d).Find("call_expression") {
					if c.ChildByField("function").Text() == set && p.Arg(c, 0).Kind() == "identifier" && p.Arg(c, 0).Text() == state {
						if m := mutation(p, p.Scope(c), state, c); m.Valid() {
							p.Report(m, set+" gets the same object in line "+itoa(c.Line()))
						}
					}
				}
			}
		},
	}
}

// mutation is a change of state in place before the set call, in its function.
func mutation(p *rule.Pass, fn syntax.Node, state string, set syntax.Node) syntax.Node {
	if slices.Contains(p.ParameterNames(fn), state) {
		return syntax.Node{}
	}
	if len(values(fn, state)) > 0 {
		return syntax.Node{} // a local variable of the same name
	}
	for n := range fn.Find("call_expression", "assignment_expression") {
		if n.Start() > set.Start() {
			break
		}
		o, name := method(n)
		if n.Kind() == "assignment_expression" {
			left := n.ChildByField("left")
			o, name = left.ChildByField("object"), "="
		}
		if o.Kind() == "identifier" && o.Text() == state && slices.Contains([]string{"push", "pop", "shift", "unshift", "splice", "sort", "reverse", "="}, name) {
			return n
		}
	}
	return syntax.Node{}
}
