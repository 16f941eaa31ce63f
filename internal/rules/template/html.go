package template

import (
	"regexp"
	"strings"
)

// place is where in a page's text something stands.
type place int

const (
	inText place = iota
	inTag        // between attributes
	inQuoted
	inUnquoted
	inScript
	inStyle
	inComment
)

// spot is the place of an output.
type spot struct {
	place  place
	tag    string
	attr   string // lower case; "" outside attributes
	whole  bool   // nothing stands before it in the attribute's value
	string byte   // in a script or a handler: the quote of the JavaScript string around it, 0 for none
	script bool   // JavaScript: a script that a browser runs, a handler or a javascript: address
}

// block is the text of a <script> element.
type block struct {
	from, to int
	language string
}

// html follows the state of a page's text, chunk by chunk. Its zero value is the begin of a page.
type html struct {
	page  *page
	place place
	line  int
	tags  int // that were opened

	opening   int    // where the open tag began
	name      string // of the open tag
	attr      string
	attrStart int
	quote     byte
	valueFrom int // where the value began
	empty     bool
	stage     stage
	js        js
	rawTag    string // script, style: until its end tag
	script    block
	isJS      bool
}

// stage is how far an attribute is read.
type stage int

const (
	between stage = iota
	naming
	named // the name is read, = may follow
	valued
)

// read goes over text[from:to].
func (h *html) read(text string, from, to, line int) {
	h.line = line
	for i := from; i < to; i++ {
		c := text[i]
		if c == '\n' {
			h.line++
		}
		switch h.place {
		case inText:
			h.inText(text, i)
		case inComment:
			if c == '>' && i >= 2 && text[i-2:i] == "--" {
				h.place = inText
			}
		case inScript, inStyle:
			if c == '<' && endTag(text[i:], h.rawTag) {
				h.endRaw(i)
				continue
			}
			h.js.feed(c)
		case inQuoted:
			if c == h.quote {
				h.value(text, i)
				h.place, h.stage = inTag, between
				continue
			}
			h.inValue(c)
		case inUnquoted:
			if c == '>' || c <= ' ' {
				h.value(text, i)
				h.place, h.stage = inTag, between
				h.inTag(text, i)
				continue
			}
			h.inValue(c)
		case inTag:
			h.inTag(text, i)
		}
	}
}

func (h *html) inValue(c byte) {
	h.empty = false
	h.js.feed(c)
}

func (h *html) inText(text string, i int) {
	if text[i] != '<' || i+1 == len(text) {
		return
	}
	switch next := text[i+1]; {
	case strings.HasPrefix(text[i:], "<!--"):
		h.place = inComment
	case letter(next):
		end := i + 1
		for end < len(text) && end < i+40 && (letter(text[end]) || text[end] >= '0' && text[end] <= '9' || strings.IndexByte(":-"+
			"._", text[end]) >= 0) {
			end++
		}
		h.tags++
		h.place, h.stage, h.opening, h.name, h.attr = inTag, between, i, strings.ToLower(text[i+1:end]), ""
	}
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func (h *html) inTag(text string, i int) {
	c := text[i]
	switch {
	case i <= h.opening+len(h.name): // the name itself
	case c == '>':
		h.endName(text, i)
		h.endTag(text, i)
	case c == '=' && (h.stage == naming || h.stage == named):
		h.endName(text, i)
		h.stage = valued
	case c <= ' ' || c == '/':
		if h.stage == naming {
			h.endName(text, i)
		}
	case h.stage == valued:
		h.begin()
		if h.valueFrom = i; c == '"' || c == '\'' {
			h.place, h.quote, h.valueFrom = inQuoted, c, i+1
			return
		}
		h.place = inUnquoted
		h.inValue(c)
	case h.stage != naming:
		h.stage, h.attrStart = naming, i
	}
}

// begin is the start of an attribute's value.
func (h *html) begin() { h.empty, h.js = true, js{} }

func (h *html) endName(text string, i int) {
	if h.stage == naming {
		h.attr, h.stage = strings.ToLower(text[h.attrStart:min(i, h.attrStart+60)]), named
	}
}

// value takes in the value of an attribute that ends at i.
func (h *html) value(text string, i int) {
	if d := h.page.dialect.directives; d != nil && d.MatchString(h.attr) && i-h.valueFrom < maxExpression {
		h.page.outputs = append(h.page.outputs, output{line: h.line, expr: text[h.valueFrom:i], raw: true,
			spot: spot{tag: h.name, attr: h.attr}})
	}
}

var (
	scriptType  = regexp.MustCompile(`(?i)\stype\s*=\s*["']?([^"'\s>]*)`)
	scriptLang  = regexp.MustCompile(`(?i)\slang\s*=\s*["']?(ts|typescript)\b`)
	javascripts = regexp.MustCompile(`(?i)^$|javascript|ecmascript|^module$|jsx|babel`)
)

// endTag takes in the open tag, which ends at i.
func (h *html) endTag(text string, i int) {
	tag := text[h.opening:min(i, h.opening+maxExpression)]
	h.place, h.attr, h.stage = inText, "", between
	switch h.name {
	case "script", "style":
		h.rawTag, h.js = h.name, js{}
		h.place = inStyle
		h.isJS = false
		if h.name == "script" {
			h.place, h.script = inScript, block{from: i + 1, language: "javascript"}
			if m := scriptType.FindStringSubmatch(tag); m == nil || javascripts.MatchString(m[1]) {
				h.isJS = true
			}
			if scriptLang.MatchString(tag) {
				h.script.language = "typescript"
			}
		}
	}
}

// endTag of a raw element: its name follows "</".
func endTag(text, name string) bool {
	return len(text) >= len(name)+2 && text[1] == '/' && strings.EqualFold(text[2:2+len(name)], name)
}

func (h *html) endRaw(i int) {
	if h.place == inScript && h.isJS {
		h.script.to = i
		h.page.scripts = append(h.page.scripts, h.script)
	}
	h.place, h.rawTag, h.isJS = inText, "", false
}

// end closes what is open at the end of the text.
func (h *html) end(i, line int) {
	h.line = line
	if h.place == inScript {
		h.endRaw(i)
	}
}

// hole is the spot of an output that stands here; the state goes on behind it.
func (h *html) hole() spot {
	s := spot{place: h.place, tag: h.name}
	switch h.place {
	case inTag:
		if h.stage == valued {
			h.begin()
			h.place = inUnquoted
			s.place, s.attr, s.whole = inUnquoted, h.attr, true
			h.empty = false
			h.valueFrom = h.opening
		}
	case inQuoted, inUnquoted:
		s.attr, s.whole = h.attr, h.empty
		h.empty = false
	case inScript:
		s.script = h.isJS
	}
	if strings.HasPrefix(s.attr, "on") && len(s.attr) > 4 && !strings.Contains(s.attr, "-") {
		s.script = true
	}
	if s.script {
		s.string = h.js.quote
		if h.js.comment != 0 {
			s.place = inComment
		}
		h.js.value()
	}
	return s
}
