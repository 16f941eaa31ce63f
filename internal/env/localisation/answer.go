package localisation

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Limits of an answer.
const (
	maxAnswer = 1 << 20 // bytes that are looked at
	maxRanked = 100     // places in a ranking
	maxList   = 1 << 16 // bytes of a JSON list
	maxTries  = 256     // brackets, from the end, that may open one
	maxDepth  = 16      // braces around a key that may open its object
	maxName   = 4096    // bytes of a path or of a function's name
	maxSignal = 40      // bytes of a signal's name
	maxScore  = 1e6     // of a place, above or below 0
	maxRange  = 100     // lines of a range that count: a file as one range finds no more than its head
)

// Answer is what an answer ranks, best first.
type Answer struct {
	Files     []string
	Functions []string // "shop/cart.py::Cart.add", or a path alone for the file outside of its definitions
	Ranges    []Range
}

// ParseAnswer reads the rankings in an answer. The documented form is one JSON object,
//
//	{"files": ["a.py", "b.py"], "functions": [{"file": "a.py", "name": "Cart.add", "line": 3, "end_line": 9}]}
//
// where a function may also be a string, "a.py::Cart.add". The last JSON list of paths (strings, or objects with "file" or
// "path", and "name" or "function") will do, or else the paths that stand in lines, one a line. What comes last in the text
// counts, and patches are skipped. known says which paths the codebase has; an unknown path still takes its place in the ranking,
// and finds nothing.
//
// A place may have a "score", and "why": [{"name": "words", "value": 2.4}], what each signal added to it, as the rows of localise()
// have them. They rank nothing; the first places are returned with them.
func ParseAnswer(text string, known func(path string) bool) (Answer, *runfile.Ranked) {
	text = withoutPatches(termtext.Cut(text, maxAnswer))
	list, at := lastList(text)
	if files, functions, end := lastObject(text); end > at {
		return rank(append(files, functions...), functions, known)
	}
	if len(list) > 0 {
		functions := slices.DeleteFunc(slices.Clone(list), func(p place) bool { return p.name == "" && p.line == 0 })
		return rank(list, functions, known)
	}
	for line := range strings.Lines(text) {
		if p := pathIn(line, known); p != "" {
			list = append(list, place{file: p})
		}
	}
	return rank(list, nil, known)
}

// withoutPatches cuts fenced patches out of an answer.
func withoutPatches(text string) string {
	var b strings.Builder
	for {
		before, _, after, ok := nextPatch(text)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		text = after
	}
}

// Patch gives the last fenced patch of an answer that is one, "" when there is none.
func Patch(text string) string {
	if len(text) > maxAnswer {
		return ""
	}
	patch := ""
	for {
		_, body, after, ok := nextPatch(text)
		if !ok {
			return patch
		}
		if changes, err := ParsePatch(body); err == nil && len(changes) > 0 {
			patch = body
		}
		text = after
	}
}

// patchFence opens a fenced patch.
var patchFence = pattern.New("(?m)^[ \t]*```[ \t]*(?:diff|patch)[ \t]*\r?\n")

// nextPatch splits a text at its first fenced patch. A line that begins with a fence closes it; a patch's own lines
// begin with a sign or a blank. Without a closing fence, the rest is inside.
func nextPatch(text string) (before, body, after string, ok bool) {
	at := patchFence.FindStringIndex(text)
	if at == nil {
		return text, "", "", false
	}
	inside := text[at[1]:]
	end := 0
	for line := range strings.Lines(inside) {
		if strings.HasPrefix(line, "```") {
			return text[:at[0]], inside[:end], inside[end+len(line):], true
		}
		end += len(line)
	}
	return text[:at[0]], inside, "", true
}

// place is an element of a list: a file, and where it says so a definition and lines in it.
type place struct {
	file, name string
	line, end  int
	score      *float64
	why        []runfile.Signal
}

// UnmarshalJSON reads a path, "PATH::NAME", or an object. What names no file is an error; a name or a line that is none is passed
// over.
func (p *place) UnmarshalJSON(text []byte) error {
	var object struct {
		File, Path           string
		Name, Function, Line any
		End                  any `json:"end_line"`
		Score                any
		Why                  json.RawMessage
	}
	if text[0] != '"' {
		if err := json.Unmarshal(text, &object); err != nil {
			return err
		}
	} else if err := json.Unmarshal(text, &object.File); err != nil {
		return err
	}
	name, _ := object.Name.(string)
	function, _ := object.Function.(string)
	p.file, p.name = cmp.Or(object.File, object.Path), cmp.Or(name, function)
	if file, name, ok := strings.Cut(p.file, "::"); ok {
		p.file, p.name = file, cmp.Or(p.name, name)
	}
	if line, ok := object.Line.(float64); ok && line >= 1 && line <= math.MaxInt32 {
		p.line, p.end = int(line), int(line)
		if end, ok := object.End.(float64); ok && end > line {
			p.end = int(min(end, line+maxRange-1))
		}
	}
	if p.file == "" {
		return errors.New("no file")
	}
	if score, ok := object.Score.(float64); ok && savable(score) {
		p.score = &score
	}
	p.why = signals(object.Why)
	return nil
}

// signals reads what gave a score. What is none, or unusable, is passed over.
func signals(why json.RawMessage) (list []runfile.Signal) {
	var all []runfile.Signal
	if len(why) == 0 || json.Unmarshal(why, &all) != nil {
		return nil
	}
	for _, s := range all {
		if s.Name = termtext.OneLine(termtext.Cut(s.Name, maxSignal)); s.Name != "" && savable(s.Value) && len(list) < runfile.MostSignals {
			list = append(list, s)
		}
	}
	return list
}

// savable reports values that a score can have.
func savable(v float64) bool { return math.Abs(v) <= maxScore }

// lastList is the last JSON list in a text that holds places and nothing else, and where it begins; -1 for none.
func lastList(text string) (list []place, at int) {
	end := len(text)
	for range maxTries {
		start := strings.LastIndexByte(text[:end], '[')
		if start < 0 {
			break
		}
		if list := listAt(text[start:min(len(text), start+maxList)]); len(list) > 0 {
			return list, start
		}
		end = start
	}
	return nil, -1
}

func listAt(text string) []place {
	if rest := strings.TrimLeft(text[1:], " \t\r\n"); rest == "" || rest[0] != '"' && rest[0] != '{' {
		return nil
	}
	var list []place
	if json.NewDecoder(strings.NewReader(text)).Decode(&list) != nil {
		return nil
	}
	return list
}

// lastObject are the lists of the object around the last "files" or "functions" in a text, and where it ends; -1 for none.
func lastObject(text string) (files, functions []place, end int) {
	key := strings.LastIndex(text, `"files"`)
	if other := strings.LastIndex(text, `"functions"`); key < 0 || other >= 0 && other < key {
		key = other
	}
	for range maxDepth {
		start := strings.LastIndexByte(text[:max(0, key)], '{')
		if start < 0 {
			break
		}
		var object struct{ Files, Functions []place }
		d := json.NewDecoder(strings.NewReader(text[start:min(len(text), start+maxList)]))
		if d.Decode(&object) == nil && len(object.Files)+len(object.Functions) > 0 {
			return object.Files, object.Functions, start + int(d.InputOffset())
		}
		key = start
	}
	return nil, nil, -1
}

// pathWord is a word that may be a path.
var pathWord = pattern.New(`[\w.+@~/-]*\w`)

// pathIn is the path that a line names: the first that the codebase has, or the first that looks like one.
func pathIn(line string, known func(string) bool) string {
	guess := ""
	for _, word := range pathWord.FindAllString(line, 64) {
		p := clean(word)
		if known(p) {
			return p
		}
		if guess == "" && strings.Contains(p, "/") && path.Ext(p) != "" && !strings.Contains(line, "://") {
			guess = p
		}
	}
	return guess
}

// clean is a path as the codebase writes it.
func clean(p string) string {
	p = strings.Trim(strings.TrimSpace(p), "`'\"")
	for strings.HasPrefix(p, "./") {
		p = p[2:]
	}
	return strings.TrimPrefix(p, "/")
}

// lineNumber is what a citation puts behind a path.
var lineNumber = pattern.New(`:\d+(?:-\d+)?$`)

// rank cleans lists, without their repetitions, and keeps what is said of the first places.
func rank(files, functions []place, known func(string) bool) (Answer, *runfile.Ranked) {
	a := Answer{Files: []string{}, Functions: []string{}, Ranges: []Range{}}
	kept := runfile.Ranked{Files: []runfile.RankedPlace{}, Functions: []runfile.RankedPlace{}}
	for _, p := range files {
		f := file(p.file, known)
		if a.Files = ranked(a.Files, f); len(kept.Files) < min(len(a.Files), runfile.MostRanked) {
			kept.Files = append(kept.Files, runfile.RankedPlace{Path: f, Score: p.score, Why: p.why})
		}
	}
	for _, p := range functions {
		f := file(p.file, known)
		if f == "" {
			continue
		}
		name := strings.TrimSuffix(strings.ReplaceAll(strings.TrimSpace(p.name), "::", "."), "()")
		whole := strings.ToValidUTF8(termtext.Cut(inFile(f, name), maxName), "\uFFFD")
		if a.Functions = ranked(a.Functions, whole); len(kept.Functions) < min(len(a.Functions), runfile.MostRanked) {
			_, name, _ := strings.Cut(whole, "::")
			kept.Functions = append(kept.Functions,
				runfile.RankedPlace{Path: f, Name: name, Line: p.line, EndLine: p.end, Score: p.score, Why: p.why})
		}
		if p.line > 0 {
			a.Ranges = ranked(a.Ranges, Range{f, p.line, p.end})
		}
	}
	return a, &kept
}

// ranked is a ranking with one more place, where that is new and there is room.
func ranked[T comparable](list []T, next T) []T {
	if next == *new(T) || slices.Contains(list, next) || len(list) == maxRanked {
		return list
	}
	return append(list, next)
}

// file is a path as the codebase writes it, without the lines that are cited behind it.
func file(p string, known func(string) bool) string {
	p = clean(p)
	if !known(p) {
		p = lineNumber.ReplaceAllString(p, "")
	}
	return strings.ToValidUTF8(p[:min(len(p), maxName)], "\uFFFD")
}
