package claim

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
)

// What one text may hold: it is model output.
const (
	maxText     = 1 << 20
	maxSentence = 2000
	maxClaims   = 1000
)

// Extract takes the checkable claims out of a text in Markdown, in the order in which they stand there. Code blocks are
// left out, and so are sentences that advise, suppose or give examples: what should be is no claim about what is.
func Extract(text string) []Claim {
	if len(text) > maxText {
		text = text[:maxText]
	}
	var all []Claim
	for _, s := range sentences(strings.ToValidUTF8(text, "\uFFFD")) {
		if len(s) > maxSentence || hedged.MatchString(outside(s)) {
			continue
		}
		for _, c := range claimsOf(s) {
			c.Sentence = s
			if !slices.ContainsFunc(all, func(o Claim) bool { o.Sentence = c.Sentence; return o == c }) {
				all = append(all, c)
			}
			if len(all) == maxClaims {
				return all
			}
		}
	}
	return all
}

// hedged marks sentences that do not say how things are: advice, conditions, guesses, examples, plans, what is absent.
var hedged = pattern.New(
	`(?i)\b(?:should|could|would|must|might|may|maybe|perhaps|possibl[ey]|probably|likely|appears?|seems?|apparently|` +
		`consider|add|adding|create|creating|introduce|move|rename|extract|split|replace|remove|delete|drop|use|` +
		`suggest\w*|recommend\w*|propos\w*|instead|e\.g|such as|like|for example|for instance|if|unless|until|when|whenever|once|` +
		`plan(?:ned)?|todo|will|shall|need(?:s|ed)?|ought|let us|` +
		`there is no|there are no|does not exist|do not exist|lacks?|without|absent|make sure|ensure|assum\w+|suppos\w+|whether|or)\b`)

var (
	fence     = pattern.New("^\\s*(?:`{3,}|~{3,})")
	marker    = pattern.New(`^\s*(?:[-*+]|\d{1,3}[.)]|#{1,6}|>)\s+`)
	span      = pattern.New("`([^`\n]{1,300})`")
	emphasis  = strings.NewReplacer("**", "", "__", "")
	terminals = pattern.New(`[.!?;](?:\s+|$)`)
)

// outside is a sentence without its code spans: a name in one is not a word of the sentence.
func outside(s string) string { return span.ReplaceAllString(s, "`x`") }

// sentences splits a text in Markdown. A list item, a heading, a table row ends a sentence as a full stop does; a stop
// within a code span does not.
func sentences(text string) []string {
	var out []string
	var open strings.Builder
	flush := func() {
		s := emphasis.Replace(strings.Join(strings.Fields(open.String()), " "))
		open.Reset()
		from := 0
		spans := span.FindAllStringIndex(s, -1)
		for _, t := range terminals.FindAllStringIndex(s, -1) {
			if slices.ContainsFunc(spans, func(p []int) bool { return p[0] < t[0] && t[0] < p[1] }) {
				continue
			}
			if part := strings.TrimSpace(s[from : t[0]+1]); part != "" {
				out = append(out, part)
			}
			from = t[1]
		}
		if part := strings.TrimSpace(s[from:]); part != "" {
			out = append(out, part)
		}
	}
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if fence.MatchString(line) {
			flush()
			fenced = !fenced
			continue
		}
		if fenced || strings.HasPrefix(line, "    ") && open.Len() == 0 {
			continue
		}
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "|") {
			flush()
			continue // a table's cells are not sentences
		}
		if marker.MatchString(line) {
			flush()
			open.WriteString(marker.ReplaceAllString(line, ""))
			if strings.HasPrefix(trimmed, "#") {
				flush()
			}
			continue
		}
		open.WriteString(" " + line)
	}
	flush()
	return out
}

const (
	// id is a name in a code span, calling brackets seen through.
	id = "`([A-Za-z_$][\\w$]{0,80})(?:\\(\\))?`"
	// path is a source file in a code span.
	path = "`([\\w@.][\\w@./+-]{0,200}\\.(?:" + extensions + "))`"
	// clause is where a claim must end: what follows a bare "is never used" may turn it round.
	clause = `(?:\s+(?:anywhere|at all|in (?:this|the) (?:file|module|function|class|method|code|codebase|project|package)|` +
		`anywhere in (?:this|the) \w+))?\s*(?:[.,;:)!]|$)`
	thing = `(?:function|method|class|struct|type|interface|helper|variable|constant|import|parameter|argument|local variable)`

	extensions = "py|pyi|go|js|jsx|mjs|cjs|ts|tsx|java|rb|php|c|h|cc|cpp|hpp|rs|cs|kt|swift|scala|sh|sql|html|css|vue|toml|yaml|yml|json|" +
		"cfg|ini|txt|md"
)

var (
	// located is a path with a line: in a code span, or with a directory.
	located = pattern.New("(?:`|^|[\\s(\\[\"'*])([\\w@.][\\w@./+-]{0,200}\\.(?:" + extensions + ")):(\\d{1,7})\\b")
	inFile  = pattern.New(path)

	definedIn = pattern.New(id + `,? (?:` + thing + ` )?(?:is |are )?(?:defined|declared|implemented) in (?:the file )?` + path)
	definesIt = pattern.New(path + ` (?:defines|declares|implements) (?:the |a |an )?(?:` + thing + ` )?` + id)
	thingIn   = pattern.New(`(?i)\b(?:function|method|class|struct|interface|helper) ` + id + ` (?:in|of|from) (?:the file )?` + path)
	inThing   = pattern.New(`(?i)` + id + ` (?:function|method|class|struct|interface|helper) (?:in|of|from) (?:the file )?` + path)

	neverUsed = pattern.New(`(?i)(?:\b(` + thing + `) )?` + id + `(?: (` + thing +
		`))?,? (?:is |are |gets )?(?:(?:imported|defined|declared|assigned|created),? but )?(?:is )?` +
		`(?:never|not) (?:used|called|referenced|invoked|read)` + clause)
	isUnused = pattern.New(`(?i)(?:\b(` + thing + `) )?` + id + `(?: (` + thing + `))? is unused` + clause)
	unused   = pattern.New(`(?i)\bunused (` + thing + `):? ['"` + "`]?" + `([A-Za-z_$][\w$]{0,80})['"` + "`]?" +
		`\s*(?:[.,;)]|$| in )`)
	notDefined = pattern.New(`(?i)(?:\b(?:name|variable|function|class|module) )?` + id +
		` is (?:not|never) (defined|imported|declared)` + clause)
	undefined = pattern.New(`(?i)^(?:undefined (?:name|variable|function)|missing import(?: of| for)?):? ['"` + "`]?" +
		`([A-Za-z_$][\w$]{0,80})['"` + "`]?" + `\s*(?:[.,;)]|$)`)

	numberOfFiles = pattern.New(
		`(?i)\b(?:codebase|repository|repo|project) (?:has|contains|consists of|comprises|holds) ` +
			`(?:exactly |a total of |in total )?([\d,]{1,9}) (?:([a-z+#]+) )?(?:source )?files\b`)
	numberOfLines = pattern.New(path +
		`(?:,? which)? (?:has|is|contains|runs to|spans) (?:exactly )?([\d,]{1,9}) (?:source )?lines( of code)?( long)?\b`)
	linesInBraces = pattern.New(path + ` \(([\d,]{1,9}) lines( of code)?\)`)

	pinnedAt = pattern.New(
		"(?i)\\b(?:pins|pinned|locks|locked|fixes|fixed)\\b[^`]{0,40}`([A-Za-z0-9][\\w.-]{0,80})==([\\w.+!-]{1,40})`")
	setTo = pattern.New("`([A-Za-z_][\\w]{1,80})` is (?:set|hard-?coded|assigned|initiali[sz]ed) to `([^`]{1,80})`")
)

// claimsOf reads the claims of one sentence.
func claimsOf(s string) []Claim {
	var out []Claim
	add := func(c Claim) { out = append(out, c) }
	for _, m := range located.FindAllStringSubmatch(s, 20) {
		if strings.Contains(s, "`"+m[1]) || strings.Contains(m[1], "/") {
			add(Claim{Kind: KindFile, File: m[1], Line: number(m[2])})
		}
	}
	named := inFile.FindAllStringSubmatch(s, 20)
	for _, m := range named {
		add(Claim{Kind: KindFile, File: m[1]})
	}
	for _, p := range []struct {
		form       *pattern.Pattern
		name, file int
		loose      bool
	}{{definedIn, 1, 2, false}, {definesIt, 2, 1, false}, {thingIn, 1, 2, true}, {inThing, 1, 2, true}} {
		for _, m := range p.form.FindAllStringSubmatch(s, 10) {
			add(Claim{Kind: KindDefined, Name: m[p.name], File: m[p.file], Loose: p.loose})
		}
	}
	file := "" // of a claim that is made about a name alone
	if len(named) == 1 {
		file = named[0][1]
	}
	if len(named) <= 1 {
		for _, form := range []*pattern.Pattern{neverUsed, isUnused} {
			for _, m := range form.FindAllStringSubmatch(s, 10) {
				add(Claim{Kind: KindUnused, What: strings.ToLower(m[1] + m[3]), Name: m[2], File: file})
			}
		}
		for _, m := range unused.FindAllStringSubmatch(s, 10) {
			add(Claim{Kind: KindUnused, What: strings.ToLower(m[1]), Name: m[2], File: file})
		}
		for _, m := range notDefined.FindAllStringSubmatch(s, 10) {
			add(Claim{Kind: KindMissing, What: strings.ToLower(m[2]), Name: m[1], File: file})
		}
		for _, m := range undefined.FindAllStringSubmatch(s, 10) {
			add(Claim{Kind: KindMissing, What: "defined", Name: m[1], File: file})
		}
		for _, m := range setTo.FindAllStringSubmatch(s, 10) {
			add(Claim{Kind: KindSetting, Name: m[1], Value: strings.TrimSpace(m[2]), File: file})
		}
		for _, m := range span.FindAllStringSubmatch(s, 20) {
			if code := strings.TrimSpace(m[1]); file != "" && len(code) >= 12 && strings.ContainsAny(code, " (=[") && !strings.Contains(code, "..") {
				add(Claim{Kind: KindQuote, Value: code, File: file})
			}
		}
	}
	for _, m := range numberOfFiles.FindAllStringSubmatch(s, 5) {
		add(Claim{Kind: KindFiles, N: number(m[1]), Name: strings.ToLower(m[2])})
	}
	for _, form := range []*pattern.Pattern{numberOfLines, linesInBraces} {
		for _, m := range form.FindAllStringSubmatch(s, 10) {
			add(Claim{Kind: KindLines, File: m[1], N: number(m[2]), Loose: m[3] != ""})
		}
	}
	for _, m := range pinnedAt.FindAllStringSubmatch(s, 10) {
		add(Claim{Kind: KindPinned, Name: m[1], Value: m[2]})
	}
	return out
}

func number(s string) int {
	n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	if err != nil {
		return 0
	}
	return n
}
