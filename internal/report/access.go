package report

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

var (
	// handlerMark is what makes the definition below or behind it a handler of requests: a decorator, an annotation, or the
	// registration of a function with a router.
	handlerMark = pattern.New(
		`^\s*@[\w.]*\b(?:route|get|post|put|delete|patch|websocket|api_view)\s*\(` + // Flask, FastAPI, Django REST
			`|^\s*@(?:Get|Post|Put|Delete|Patch|Request)Mapping\b` + // Spring
			`|^\s*@(?:Get|Post|Put|Delete|Patch|All)\(` + // NestJS
			"|\\b(?:app|router|server)\\.(?:get|post|put|delete|patch|all)\\(\\s*['\"`]/") // Express and its kin
	// routed is a handler that is registered elsewhere, where it is said who may ask.
	routed    = pattern.New(`\bhttp\.ResponseWriter\b.*\*http\.Request\b|\(\s*req(?:uest)?\s*,\s*res(?:ponse)?\b`)
	loginMark = pattern.New(
		`(?i)log[_-]?in|authenti|authori[sz]|\bauth|jwt|permission|protected|require[sd]?_?(?:user|role|admin)|current_?user|` +
			`get_?user|token|api_?key|session|Secured|RolesAllowed|UseGuards|isAdmin`)
	// guardMark asks for a login before the handlers of a whole file.
	guardMark  = pattern.New(`before_request|before_action|\.use\(`)
	definition = pattern.New(`^\s*(?:(?:public|private|protected|static|async|export|default)\s+)*(?:def|func|function|class)\b`)
)

// maxUp is how many lines above a finding are searched for the definitions that it stands in.
const maxUp = 400

// AccessOf says from the text of the code what is cheap to know: whether a definition around a finding is marked as a handler
// of requests, and whether a login check stands on it or on what encloses it. What a check elsewhere asks for is not seen.
// starts are the files in which the program starts.
func AccessOf(code Source, starts []string) func(finding.Finding) Access {
	type file struct {
		lines   []string
		guarded bool
	}
	files := map[string]file{}
	return func(f finding.Finding) Access {
		seen, ok := files[f.File]
		if !ok {
			text, _ := code.Text(f.File)
			seen.lines = strings.Split(text, "\n")
			seen.guarded = slices.ContainsFunc(seen.lines, guardMark.MatchString)
			files[f.File] = seen
		}
		head := headings(seen.lines, f.Line)
		switch {
		case slices.ContainsFunc(head, handlerMark.MatchString):
			if seen.guarded || slices.ContainsFunc(head, loginMark.MatchString) {
				return AccessHandler
			}
			return AccessOpen
		case slices.Contains(starts, f.File):
			return AccessStart
		case slices.ContainsFunc(head, routed.MatchString):
			return AccessHandler
		}
		return AccessUnknown
	}
}

// headings are the first lines of the definitions that enclose a line, with the decorators or annotations above them: what
// stands above, is indented less and either defines something or registers a handler.
func headings(lines []string, line int) []string {
	if line < 1 || line > len(lines) {
		return nil
	}
	var head []string
	depth := indent(lines[line-1])
	for i := line - 1; i >= max(0, line-1-maxUp); i-- {
		text := lines[i]
		trimmed := strings.TrimSpace(text)
		if trimmed == "" || strings.ContainsRune(")]}", rune(trimmed[0])) || i < line-1 && indent(text) >= depth {
			continue
		}
		depth = min(depth, indent(text))
		if !definition.MatchString(text) && !handlerMark.MatchString(text) && !routed.MatchString(text) && !annotated(lines, i) {
			continue
		}
		for end := i; ; end++ { // a signature of several lines
			head = append(head, lines[end])
			if last := strings.TrimSpace(lines[end]); end+1 >= min(len(lines), i+maxSignature) || strings.HasSuffix(last, ":") ||
				strings.HasSuffix(last, "{") {
				break
			}
		}
		for at := i; annotated(lines, at); at-- {
			head = append(head, lines[at-1])
		}
	}
	return head
}

// maxSignature is how many lines a signature may have.
const maxSignature = 20

// annotated says whether a decorator or an annotation stands on the line above.
func annotated(lines []string, i int) bool {
	return i > 0 && strings.HasPrefix(strings.TrimSpace(lines[i-1]), "@")
}

func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }
