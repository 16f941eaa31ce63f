package template

import "regexp"

// The loops of all engines, by what is looped over and the name that an element gets.
var (
	overIn = regexp.MustCompile(`(?:\bfor|\beach|v-for="|#each|\(const|\(let|\(var)\s+\(?\s*(?:const |let |` +
		`var )?(?:\w+\s*,\s*)?(\w+)(?:\s*,\s*\w+)?\s*\)?\s+(?:in|of)\s+([@$\w.\[\]'"()-]+)`)
	inAs      = regexp.MustCompile(`(?:foreach\s*\(\s*|#each\s+)([$@\w.>()-]+?)\s+as\s+(?:\|\s*|\$\w+\s*=>\s*)?\$?(\w+)`)
	withBlock = regexp.MustCompile(`([@\w.]+)\.(?:each|forEach|map|each_with_index)(?:\s+do\s*\||\s*\{\s*\||` +
		`\(\s*(?:async\s+)?(?:function\s*)?\(?\s*)\s*(\w+)`)
	thEach    = regexp.MustCompile(`th:each="\s*(\w+)(?:\s*,\s*\w+)?\s*:\s*[$*]\{([\w.]+)\}`)
	jstlItems = regexp.MustCompile(`<c:forEach\b[^>]*?\bitems="[$#]\{([\w.]+)\}"[^>]*?\bvar="(\w+)"`)
	jstlVar   = regexp.MustCompile(`<c:forEach\b[^>]*?\bvar="(\w+)"[^>]*?\bitems="[$#]\{([\w.]+)\}"`)
	listAs    = regexp.MustCompile(`<#list\s+([\w.]+)\s+as\s+(\w+)`)
	razorEach = regexp.MustCompile(`@foreach\s*\(\s*(?:var|[\w<>]+)\s+(\w+)\s+in\s+([\w.]+)`)
)

const maxLoops = 200

// loops maps the names of elements to what a template takes them from.
func loops(text string) map[string]string {
	from := map[string]string{}
	for _, l := range []struct {
		form         *regexp.Regexp
		element, all int
	}{{overIn, 1, 2}, {inAs, 2, 1}, {withBlock, 2, 1}, {thEach, 1, 2}, {jstlItems, 2, 1}, {jstlVar, 1, 2}, {listAs, 2, 1},
		{razorEach, 1, 2}} {
		for _, m := range l.form.FindAllStringSubmatch(text, maxLoops) {
			if from[m[l.element]] == "" && m[l.element] != m[l.all] {
				from[m[l.element]] = m[l.all]
			}
		}
	}
	return from
}
