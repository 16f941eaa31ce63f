package flow

import (
	"github.com/deeprepo/deeprepo/internal/flow/ir"
)

// Functions of PHP are often two in one: render($text, $escape = true), url($to, $for = 'html'). What they are told is constant where
// they are called, so they are read once for each way in which they are told it.

// variant is a function with constants for those of its parameters that say what it does.
type variant struct {
	fn   *ir.Func
	told string // for each parameter what it is told, "-" where that is not known
}

// maxVariants bounds how often one function is read so.
const maxVariants = 4

// switching reports a constant that tells a function what to do: true, false, or a word.
func switching(x *ir.Expr) bool {
	return x.Kind == ir.Bool || x.Kind == ir.Text && x.Text != "" && len(x.Text) <= maxWord
}

// maxWord bounds such a word, in bytes.
const maxWord = 16

// switches are the constants by which a call tells a function what to do, or that the function takes in their place, by the numbers
// of its parameters.
func (f *frame) switches(c *call, fn *ir.Func) map[int]*value {
	if fn.File.Language != "php" {
		return nil
	}
	var told map[int]*value
	for i, p := range fn.Params {
		if p.Rest || p.Shared || p.Default == nil || p.Default.Op != ir.Const || !switching(p.Default) {
			continue
		}
		v, ok := c.arg(position(i, ""))
		if named, byName := c.arg(position(-100, p.Name)); byName && named.known() {
			v, ok = named, true
		}
		if !ok {
			v = &value{con: p.Default}
		}
		if v.known() && switching(v.con) {
			if told == nil {
				told = map[int]*value{}
			}
			told[i] = v
		}
	}
	return told
}

// summarizeFor reads a function as it is when it is told some constants.
func (e *engine) summarizeFor(fn *ir.Func, told map[int]*value) *summary {
	if len(told) == 0 {
		return e.summarize(fn)
	}
	key := variant{fn: fn}
	for i := range fn.Params {
		if s, ok := told[i].text(); ok {
			key.told += s + "\x00"
		} else {
			key.told += "-\x00"
		}
	}
	if s := e.variants[key]; s != nil {
		return s
	}
	if e.variantsOf[fn] >= maxVariants || e.depth > maxChain || e.ctx.Err() != nil {
		return e.summarize(fn)
	}
	e.variantsOf[fn]++
	s := &summary{effects: map[string]*value{}}
	e.variants[key] = s
	e.read(fn, s, told)
	return s
}
