package flow

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

var contentType = words(`content_type mimetype media_type contentType type`)

var textTypes = pattern.New(`(?i)^\s*(content-type\s*:\s*)?(text/(plain|csv|javascript)|application/|image/|json\b|text$)`)

// content notes what a response is said to hold.
func (f *frame) content(values ...*value) {
	for _, v := range values {
		if f.env != nil && v != nil {
			s, _, _ := strings.Cut(v.literal(), "\x00") // "text/plain; charset=" + CHARSET
			if textTypes.MatchString(s) {
				f.env.set(plainFlag, nil)
				delete(f.env.vars, pageFlag)
			} else if strings.Contains(s, "html") {
				delete(f.env.vars, plainFlag)
				f.env.set(pageFlag, nil)
			}
		}
	}
}

var contentCalls = words(`setContentType
	header set type setHeader Header Set contentType content_type ContentType writeHead send_header Type`)

// sniffed reports a Go response that no browser takes for a page: it begins with other text, and nobody said what it is.
func (f *frame) sniffed(v *value) bool {
	if f.file.Language != "go" || v == nil || len(v.pieces) == 0 || v.pieces[0].val != nil {
		return false
	}
	return !strings.Contains(v.pieces[0].lit, "<")
}

// returned looks at what a function gives that a framework sends as a page.
func (f *frame) returned(x *ir.Expr, v *value) {
	if v == nil || v.fields != nil || x == nil {
		return
	}
	if v.isList { // a page, a status and headers
		v = v.item(constant(ir.Number, "0"))
		if v == nil || v.fields != nil || v.isList {
			return
		}
	}
	if f.file.Language != "python" && f.file.Language != "java" && !strings.Contains(v.literal(), "<") {
		return
	}
	s := model.Sink{Kind: model.KindOf("xss")}
	f.harm(s, hitKey{s.Kind, f.file, x.Node}, "return", v, nil, x)
}

// springs looks at what a controller's method gives: where to go on, or a page.
func (f *frame) springs(x *ir.Expr, v *value) {
	if v == nil || x == nil || !f.routed() {
		return
	}
	if text := v.literal(); strings.HasPrefix(text, "redirect:\x00") || strings.HasPrefix(text, "redirect:http://\x00") {
		s := model.Sink{Kind: model.KindOf("redirect")}
		f.harm(s, hitKey{s.Kind, f.file, x.Node}, "redirect:", &value{labels: v.taint()}, nil, x)
		return
	}
	body := false
	for _, d := range f.fn.Decorators {
		body = body || callName(d) == "ResponseBody"
	}
	if c := f.file.Classes[f.fn.Class]; c != nil {
		for _, d := range c.Decorators {
			body = body || callName(d) == "RestController"
		}
	}
	if body && f.fn.Result == "String" && strings.Contains(v.literal(), "<") {
		f.returned(x, v)
	}
}
