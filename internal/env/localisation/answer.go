package localisation

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Limits of an answer.
const (
	maxAnswer = 1 << 20 // bytes that are looked at
	maxRanked = 100     // places in a ranking
	maxList   = 1 << 16 // bytes of a JSON list
	maxTries  = 256     // brackets, from the end, that may open one
)

// ParseAnswer reads the ranking in an answer, best first: the last JSON list of paths in it (strings, or objects with
// "file" or "path"), or else the paths that stand in its lines, one a line. known says which paths the codebase has; an
// unknown path still takes its place in the ranking, and finds nothing. Patches are skipped.
func ParseAnswer(text string, known func(path string) bool) []string {
	text = withoutPatches(termtext.Cut(text, maxAnswer))
	if list := lastList(text); len(list) > 0 {
		return ranking(list, known)
	}
	var list []string
	for line := range strings.Lines(text) {
		if p := pathIn(line, known); p != "" {
			list = append(list, p)
		}
	}
	return ranking(list, known)
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
var patchFence = regexp.MustCompile("(?m)^[ \t]*```[ \t]*(?:diff|patch)[ \t]*\r?\n")

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

// lastList is the last JSON list in a text that holds paths and nothing else.
func lastList(text string) []string {
	end := len(text)
	for range maxTries {
		start := strings.LastIndexByte(text[:end], '[')
		if start < 0 {
			break
		}
		if list := listAt(text[start:min(len(text), start+maxList)]); len(list) > 0 {
			return list
		}
		end = start
	}
	return nil
}

func listAt(text string) []string {
	if rest := strings.TrimLeft(text[1:], " \t\r\n"); rest == "" || rest[0] != '"' && rest[0] != '{' {
		return nil
	}
	var items []json.RawMessage
	if json.NewDecoder(strings.NewReader(text)).Decode(&items) != nil {
		return nil
	}
	var list []string
	for _, item := range items {
		var name string
		var object struct {
			File string `json:"file"`
			Path string `json:"path"`
		}
		switch {
		case json.Unmarshal(item, &name) == nil:
		case json.Unmarshal(item, &object) == nil && object.File != "":
			name = object.File
		default:
			name = object.Path
		}
		if name == "" {
			return nil
		}
		list = append(list, name)
	}
	return list
}

// pathWord is a word that may be a path.
var pathWord = regexp.MustCompile(`[\w.+@~/-]*\w`)

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
var lineNumber = regexp.MustCompile(`:\d+(?:-\d+)?$`)

// ranking cleans a list, without its repetitions.
func ranking(list []string, known func(string) bool) []string {
	out := []string{}
	for _, p := range list {
		p = clean(p)
		if !known(p) {
			p = lineNumber.ReplaceAllString(p, "")
		}
		if len(p) > 4096 {
			p = p[:4096]
		}
		p = strings.ToValidUTF8(p, "\uFFFD")
		if p != "" && !slices.Contains(out, p) {
			out = append(out, p)
		}
		if len(out) == maxRanked {
			break
		}
	}
	return out
}
