package config

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// directive is one of nginx, with the block that it stands in.
type directive struct {
	name   string
	args   []string
	line   int
	block  []*directive
	parent *directive
}

var nginxBlock = regexp.MustCompile(`(?m)^\s*(server|http|upstream\s+\S+|location\s+[^{}\n]+)\s*\{`)

const (
	maxNesting = 30
	maxName    = 200 // bytes of ${name}
)

// nginx gives all directives of a file for nginx, from the outside in.
func nginx(p *rule.Pass) []*directive {
	if p.Language != "ini" || !strings.HasSuffix(p.Path, ".conf") {
		return nil
	}
	return rule.Memo(p, "config.nginx", func() []*directive {
		text := strings.Join(p.Lines(), "\n")
		if !nginxBlock.MatchString(text) {
			return nil
		}
		return directives(text)
	})
}

// directives reads words up to ; { and }. A file that is not of this form has none.
func directives(text string) []*directive {
	var all []*directive
	open, depth := &directive{}, 0
	words, at := []string(nil), 0
	end := func() *directive {
		if len(words) == 0 {
			return nil
		}
		d := &directive{name: words[0], args: words[1:], line: at, parent: open}
		open.block, all, words = append(open.block, d), append(all, d), nil
		return d
	}
	line := 1
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\n':
			line, i = line+1, i+1
		case c == ' ', c == '\t', c == '\r':
			i++
		case c == '#':
			i += lineLength(text[i:])
		case c == ';':
			end()
			i++
		case c == '{':
			if d := end(); d != nil && depth < maxNesting {
				open, depth = d, depth+1
			} else {
				return nil
			}
			i++
		case c == '}':
			if words, i = nil, i+1; depth == 0 {
				return nil
			}
			open, depth = open.parent, depth-1
		default:
			word := wordLength(text[i:])
			if len(words) == 0 {
				at = line
			}
			words = append(words, strings.Trim(text[i:i+word], `"'`))
			line += strings.Count(text[i:i+word], "\n")
			i += word
		}
	}
	return all
}

func lineLength(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// wordLength is how long the word is that a text begins with: quoted, or up to a blank or a mark. ${name} is part of a word.
func wordLength(s string) int {
	if q := s[0]; q == '"' || q == '\'' {
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case q:
				return i + 1
			}
		}
		return len(s)
	}
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '$':
			if name := s[i:min(len(s), i+maxName)]; strings.HasPrefix(name, "${") {
				if end := strings.IndexAny(name, "} \t\n;"); end > 0 && name[end] == '}' {
					i += end
				}
			}
		case ' ', '\t', '\r', '\n', ';', '{', '}':
			return i
		}
	}
	return len(s)
}
