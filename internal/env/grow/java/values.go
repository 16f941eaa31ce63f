package java

import (
	"fmt"
	"maps"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// shared are the values of all texts of a project, with what each can call: a coin, a chance in percent, a number or
// one of some words by chance; spend draws a random number for nothing. The two marks are told at project.shuffled.
func (p *project) shared(actor string) grow.Values {
	actor = grow.Camel(actor)
	return grow.Values{
		"project": p.Name, "artifact": grow.Kebab(p.Name), "domain": grow.Words(p.Domain.Name), "actor": actor, "role": strings.ToLower(actor),
		"coin":     func() bool { return p.Rand.IntN(2) == 0 },
		"chance":   func(percent int) bool { return p.Rand.IntN(100) < percent },
		"number":   p.number,
		"one":      p.one,
		"spend":    func() string { p.Rand.Uint64(); return "" },
		"shuffled": shuffleMark, "joined": joinMark,
	}
}

// own completes the values of one file by what a text can call to get more of them: choose and count set a name to a
// word or a number, deed sets the names of something that is done in the domain. Redraw sets what was chosen and counted
// anew, so many times: that and spend keep the order of random numbers, and with it what a seed gives. What was settled
// keeps its value all the same: a word that several members must agree on.
func (p *project) own(of grow.Values) grow.Values {
	v := maps.Clone(of)
	var draws []func()
	settled := map[string]bool{}
	first := func(name string, value func() any) string {
		draw := func() {
			if drawn := value(); !settled[name] {
				v[name] = drawn
			}
		}
		draws = append(draws, draw)
		draw()
		return ""
	}
	v["choose"] = func(name string, among ...string) string {
		return first(name, func() any { return p.one(among...) })
	}
	v["count"] = func(name string, low, high int) string {
		return first(name, func() any { return p.number(low, high) })
	}
	v["settle"] = func(name string) string {
		settled[name] = !p.layout.unsettled
		return ""
	}
	v["redraw"] = func(times int) string {
		for range times {
			for _, draw := range draws {
				draw()
			}
		}
		return ""
	}
	v["deed"] = func() string {
		verb := p.Domain.Verb(p.Rand)
		v["verb"], v["Verb"] = grow.Words(verb), grow.Pascal(verb)
		return ""
	}
	return v
}

// entity names an entity in all ways that texts need.
func entity(e grow.Entity) grow.Values {
	many, label := grow.Plural(e.Name), grow.Words(e.Name)
	a := article(label)
	v := grow.Values{
		"Type": grow.Pascal(e.Name), "var": grow.Camel(e.Name), "package": strings.ReplaceAll(e.Name, "_", ""),
		"label": label, "oneLabel": a, "OneLabel": strings.ToUpper(a[:1]) + a[1:], "labels": grow.Words(many),
		"key": grow.Kebab(e.Name), "keys": grow.Kebab(many), "table": many,
	}
	text, _ := e.First(grow.Text)
	v["text"], v["Text"], v["column"] = grow.Camel(text.Name), grow.Pascal(text.Name), text.Name
	cents, ok := e.First(grow.Cents)
	if !ok {
		cents.Name = "amount_cents"
	}
	v["cents"], v["centsColumn"] = grow.Camel(cents.Name), cents.Name
	measure, ok := e.First(grow.Cents, grow.Count)
	if !ok {
		measure.Name = "amount"
	}
	v["measure"], v["measureColumn"] = grow.Camel(measure.Name), measure.Name
	var names, columns []string
	for _, f := range e.Fields {
		names, columns = append(names, grow.Camel(f.Name)), append(columns, f.Name)
	}
	v["fieldNames"], v["columns"], v["quotedColumns"] = strings.Join(names, ", "), strings.Join(columns, ", "), quoted(columns)
	return v
}

// fieldNames names a field. What its texts can call is one of its words.
func (p *project) fieldNames(i int, f grow.Field) grow.Values {
	java, jdbc := types(f.Kind)
	return grow.Values{
		"field": grow.Camel(f.Name), "Field": grow.Pascal(f.Name), "fieldColumn": f.Name, "fieldLabel": grow.Words(f.Name),
		"oneField": article(f.Name), "Choices": strings.ToUpper(grow.Plural(f.Name)), "quotedWords": quoted(f.Words),
		"place":    i + 2, // in a table's row, behind the owner, counted from 1
		"javaType": java, "Jdbc": jdbc,
		"word": func() string { return p.one(f.Words...) },
	}
}

// types are the type of a kind of field in Java, and what its getter and setter are called in JDBC.
func types(k grow.Kind) (java, jdbc string) {
	switch k {
	case grow.Cents:
		return "long", "Long"
	case grow.Count:
		return "int", "Int"
	case grow.Ratio:
		return "double", "Double"
	case grow.Time:
		return "Instant", "Long"
	case grow.Flag:
		return "boolean", "Boolean"
	case grow.Tags:
		return "List<String>", "String"
	}
	return "String", "String"
}

// article is "a loan" or "an order".
func article(phrase string) string {
	if strings.ContainsRune("aeiou", rune(phrase[0])) {
		return "an " + phrase
	}
	return "a " + phrase
}

// quoted writes words as Java literals: "a", "b".
func quoted(list []string) string {
	var parts []string
	for _, w := range list {
		parts = append(parts, fmt.Sprintf("%q", w))
	}
	return strings.Join(parts, ", ")
}
