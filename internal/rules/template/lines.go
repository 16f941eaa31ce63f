package template

import (
	"regexp"
	"strings"
)

var (
	elementRaw  = regexp.MustCompile(`^\s*[%\w.#-]*(?:\([^)]*\)|\{[^}]*\})?\s*(?:!=|==)\s*(\S.*)$`)
	elementText = regexp.MustCompile(`^\s*[%\w.#-]*(?:\([^)]*\)|\{[^}]*\})?=\s*(\S.*)$`)
	attrRaw     = regexp.MustCompile(`[(,\s]([\w-]+)!=\s*([\w.\[\]'"]+)`)
	addressOf   = regexp.MustCompile(`(?:^|[\s%.])(a|iframe|form)(?:[.#][\w-]+)*[({].*?\b(href|src|action)(?:=|:\s|` +
		`\s*=>\s*)\s*([\w.@$\[\]'"]+)`)
	filled      = regexp.MustCompile(`([!#])\{([^{}]*)\}`)
	scriptLine  = regexp.MustCompile(`^\s*(script(\([^)]*\))?\.|:javascript|javascript:)\s*$`)
	commentLine = regexp.MustCompile(`^\s*(//|-#|/)`)
)

// scanLines reads Pug, Haml and Slim, in which a line is an element and the indentation nests.
func scanLines(d *dialect, text string) *page {
	p := &page{dialect: d, loops: loops(text)}
	var state js
	script := -1 // the indentation of the open script, -1 outside
	for i, line := range strings.Split(text, "\n") {
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if script >= 0 && strings.TrimSpace(line) != "" && indent <= script {
			script = -1
		}
		if script >= 0 {
			p.scriptLine(&state, line, i+1)
			continue
		}
		switch {
		case len(line) > maxExpression || commentLine.MatchString(line):
		case scriptLine.MatchString(line):
			script, state = indent, js{}
		default:
			p.element(line, i+1)
		}
	}
	return p
}

// element takes in a line outside of scripts.
func (p *page) element(line string, number int) {
	if m := elementRaw.FindStringSubmatch(line); m != nil {
		p.put(number, m[1], true, spot{})
	} else if m := elementText.FindStringSubmatch(line); m != nil {
		p.put(number, m[1], false, spot{})
	}
	for _, m := range attrRaw.FindAllStringSubmatch(line, -1) {
		p.put(number, m[2], true, spot{place: inQuoted, attr: m[1]})
	}
	if m := addressOf.FindStringSubmatch(line); m != nil {
		p.put(number, m[3], false, spot{place: inQuoted, tag: m[1], attr: m[2], whole: true})
	}
	for _, m := range filled.FindAllStringSubmatch(line, -1) {
		p.put(number, m[2], m[1] == "!", spot{})
	}
}

// scriptLine follows the strings of a script between what the engine fills in.
func (p *page) scriptLine(state *js, line string, number int) {
	from := 0
	for _, m := range filled.FindAllStringSubmatchIndex(line, -1) {
		for i := from; i < m[0]; i++ {
			state.feed(line[i])
		}
		from = m[1]
		if state.comment == 0 {
			p.put(number, line[m[4]:m[5]], line[m[2]] == '!', spot{place: inScript, script: true, string: state.quote})
		}
		state.value()
	}
	for i := from; i < len(line); i++ {
		state.feed(line[i])
	}
	state.feed('\n')
}

func (p *page) put(line int, expr string, raw bool, at spot) {
	p.outputs = append(p.outputs, output{line: line, expr: expr, raw: raw || p.dialect.unescapes(expr), spot: at})
}
