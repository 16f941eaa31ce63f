package config

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// instruction is one of a Dockerfile, with all lines that it goes on over.
type instruction struct {
	name  string // in capitals
	line  int    // of the first
	lines []string
}

const maxLine = 4000 // bytes; a longer one is data

// instructions reads a Dockerfile; it gives none for any other file. Comments are empty lines.
func instructions(p *rule.Pass) []instruction {
	if p.Language != "dockerfile" {
		return nil
	}
	return rule.Memo(p, "config.instructions", func() []instruction {
		var all []instruction
		open, heredoc := false, ""
		for i, line := range p.Lines() {
			text := strings.TrimSpace(line)
			if strings.HasPrefix(text, "#") || len(text) > maxLine {
				text = ""
			}
			switch {
			case heredoc != "" && text == heredoc:
				heredoc, open = "", false
				continue
			case open || heredoc != "":
				last := &all[len(all)-1]
				last.lines = append(last.lines, text)
			case text == "":
				continue
			default:
				name, _, _ := strings.Cut(text, " ")
				all = append(all, instruction{strings.ToUpper(name), i + 1, []string{strings.TrimSpace(text[len(name):])}})
			}
			if heredoc == "" {
				heredoc = heredocEnd(text)
				open = strings.HasSuffix(text, `\`) || open && text == ""
			}
		}
		return all
	})
}

// heredocEnd is the word that ends the text which follows a line, "" for none.
func heredocEnd(line string) string {
	_, after, ok := strings.Cut(line, "<<")
	if !ok {
		return ""
	}
	word := strings.Trim(strings.TrimPrefix(after, "-"), `"'`)
	for i, r := range word {
		if !(r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r == '_') {
			word = word[:i]
			break
		}
	}
	return word
}

// text is what follows the instruction's name, its lines joined by blanks.
func (in instruction) text() string {
	var b strings.Builder
	for _, l := range in.lines {
		b.WriteString(strings.TrimSuffix(l, `\`) + " ")
	}
	return strings.TrimSpace(b.String())
}

// pairs gives what ENV and ARG set, by line: A=1 B="two words", or the old form A 1.
func (in instruction) pairs() []variable {
	var all []variable
	for i, l := range in.lines {
		l = strings.TrimSpace(strings.TrimSuffix(l, `\`))
		if name, value, ok := strings.Cut(l, " "); ok && i == 0 && len(in.lines) == 1 && !strings.Contains(name, "=") && in.name == "ENV" {
			return []variable{{name, strings.Trim(strings.TrimSpace(value), `"'`), in.line}}
		}
		for _, f := range strings.Fields(l) {
			if name, value, ok := strings.Cut(f, "="); ok {
				all = append(all, variable{name, strings.Trim(value, `"'`), in.line + i})
			}
		}
	}
	return all
}

// variable is one that a container's environment is given.
type variable struct {
	name, value string
	line        int
}
