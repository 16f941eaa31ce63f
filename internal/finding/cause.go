package finding

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

const (
	// sameText is the share of the shorter text's words that the longer one has, from which on two claims about the same
	// lines name one cause; kinText is enough where their categories are of one family.
	sameText, kinText = 0.4, 0.2
	// sameStory is the same share of two explanations of different places.
	sameStory = 0.5
	// tellingEvidence is how many characters besides white space a quotation needs to stand for a cause wherever it
	// occurs: "db.Query(query)" says nothing of what is queried.
	tellingEvidence = 30
)

// Distinct joins what [Merge] keeps apart although it is one defect at one place: claims of different readers about
// overlapping lines, or about the same code within 3 lines, under different categories whose texts say the same. Two
// claims of one reader stay two unless their titles say the same, for that reader saw both.
//
// It expects merged findings and keeps their IDs. The result is in report order and does not depend on the order of fs.
func Distinct(fs []Finding) []Finding {
	return grouped(fs, func(all []told, join func(i, j int)) {
		byFile := map[string][]int{}
		for i := range all {
			byFile[all[i].File] = append(byFile[all[i].File], i)
		}
		for _, list := range byFile {
			slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(all[i].Line, all[j].Line) })
			for n, i := range list {
				for _, j := range list[n+1:] {
					if all[j].Line-all[i].EndLine > nearLines+maxEvidenceLines {
						break
					}
					if onePlace(&all[i], &all[j]) {
						join(i, j)
					}
				}
			}
		}
	}, absorb)
}

// Group makes one finding of several that have one cause, with all their Places. One cause is
//
//   - one rule in one file, in the files of one directory, or at places that quote the same code; in one file alone where it is about
//     security: whoever mends one file has mended no other;
//   - the secrets of one rule in one file, however grave: they move out of it together;
//   - a model's claims about one file in the same category whose titles say the same about the same names, where their
//     quotations or explanations agree too, or one of them names the other's line;
//   - a model's claims about two files, of different dispatches, one of which names the other's file, with titles and
//     explanations that say the same about the same names.
//
// Whoever mends a defect wants to see each place that has to be changed on its own merits. So findings of severity high
// or critical in a security category stay one for each place, unless the quoted code is the same: two queries that are
// built by hand in two functions are two injections. And a value's way to where it does harm is its own, however alike the code at
// its end: findings of rules that have a Path stay apart, but for those of low severity, which are mended in one place, such as what
// writes the log. Findings that differ in severity, or in what a second look at them came to, stay apart as well.
//
// The strongest finding gives the title, the place and the ID; each place keeps the ID that its own finding had, so that
// baselines know it. The result is in report order and does not depend on the order of fs.
func Group(fs []Finding) []Finding {
	return grouped(fs, func(all []told, join func(i, j int)) {
		byRule, byKind, byName := map[string]int{}, map[string][]int{}, map[string][]int{}
		for i := range all {
			f := &all[i]
			if f.Rule != "" {
				for _, key := range ruleKeys(f) {
					if first, ok := byRule[key]; ok {
						join(first, i)
					} else {
						byRule[key] = i
					}
				}
				continue
			}
			for _, j := range byKind[f.File+"\x00"+f.kind()] {
				if oneStory(&all[j], f) {
					join(j, i)
				}
			}
			byKind[f.File+"\x00"+f.kind()] = append(byKind[f.File+"\x00"+f.kind()], i)
			byName[path.Base(f.File)] = append(byName[path.Base(f.File)], i)
		}
		for i := range all {
			if all[i].Rule != "" {
				continue
			}
			for name := range all[i].files() {
				for _, j := range byName[name] {
					if all[i].File != all[j].File && twoEnds(&all[i], &all[j]) {
						join(i, j)
					}
				}
			}
		}
	}, addPlace)
}

// grouped lets find say which findings belong together and joins them, each into its strongest.
func grouped(fs []Finding, find func(all []told, join func(i, j int)), add func(keep *Finding, f Finding)) []Finding {
	all := make([]told, len(fs))
	for i, f := range fs {
		f.Sources, f.Places = slices.Clone(f.Sources), slices.Clone(f.Places)
		all[i].Finding = f
	}
	slices.SortStableFunc(all, func(a, b told) int { return cmp.Or(stronger(a.Finding, b.Finding), cmp.Compare(a.ID, b.ID)) })
	sets := newGroups(len(all))
	find(all, sets.join)
	at := map[int]int{} // set -> index in out
	out := make([]Finding, 0, len(fs))
	for i := range all {
		if k, ok := at[sets.find(i)]; ok {
			add(&out[k], all[i].Finding)
			continue
		}
		at[sets.find(i)] = len(out)
		out = append(out, all[i].Finding)
	}
	Sort(out)
	return out
}

// Places are all places of a finding: its own, or those that it was grouped from.
func Places(f Finding) []runfile.Place {
	if len(f.Places) > 0 {
		return f.Places
	}
	return []runfile.Place{{File: f.File, Line: f.Line, EndLine: f.EndLine, ID: f.ID, Fingerprint: f.Fingerprint}}
}

// Apart undoes Group as far as places go: one finding for each place, with the place's own ID and the group's text.
func Apart(fs []Finding) []Finding {
	var out []Finding
	for _, f := range fs {
		for _, p := range Places(f) {
			one := f
			one.ID, one.Fingerprint = p.ID, p.Fingerprint
			one.File, one.Line, one.EndLine, one.Places = p.File, p.Line, p.EndLine, nil
			out = append(out, one)
		}
	}
	return out
}

// addPlace adds f to the places of keep.
func addPlace(keep *Finding, f Finding) {
	places := Places(*keep)
	rest := append(slices.Clone(places[1:]), Places(f)...)
	slices.SortFunc(rest, func(a, b runfile.Place) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.ID, b.ID))
	})
	keep.Places = append([]runfile.Place{places[0]}, slices.Compact(rest)...)
	if keep.Rule != "" && keep.Title != f.Title {
		keep.Title = general(keep.Title, f.Title)
	}
	absorb(keep, f)
}

// general is what two titles of one rule have in common: the rule's own, without what is particular to a place.
func general(a, b string) string {
	for i := len(a); i > 0; i = strings.LastIndex(a[:i], ": ") {
		if strings.HasPrefix(b, a[:i]) && (len(b) == i || strings.HasPrefix(b[i:], ": ")) {
			return a[:i]
		}
	}
	return a
}

// ruleKeys are what makes two findings of a rule one.
func ruleKeys(f *told) []string {
	if len(f.Path) > 0 && taxonomy.Rank(f.Severity) > taxonomy.Rank("low") {
		return nil
	}
	base := f.Rule + "\x00" + f.Severity + "\x00" + f.status() + "\x00"
	where := path.Dir(f.File)
	if taxonomy.Attackable(f.Category, f.CWE) {
		base += f.File + "\x00"
		where = f.File
	}
	keys := []string{}
	if code := f.code(); len(code) >= tellingEvidence {
		keys = append(keys, base+"code\x00"+code)
	}
	switch {
	case f.Category == "secrets":
		keys = append(keys, f.Rule+"\x00"+f.status()+"\x00file\x00"+f.File)
	case !f.grave():
		keys = append(keys, base+"place\x00"+where)
	}
	return keys
}

// onePlace says whether two findings of one file are one defect that was claimed under two categories.
func onePlace(a, b *told) bool {
	if a.Grounded != b.Grounded || a.Rule != "" && b.Rule != "" {
		return false
	}
	gap := max(b.Line-a.EndLine, a.Line-b.EndLine)
	if gap > nearLines || gap > 0 && (a.code() != b.code() || a.code() == "") {
		return false
	}
	if shareSource(&a.Finding, &b.Finding) {
		return gap <= 0 && SimilarTitles(a.Title, b.Title)
	}
	enough := sameText
	if SameFamily(a.Category, b.Category) {
		enough = kinText
	}
	return SimilarTitles(a.Title, b.Title) || overlap(a.text(), b.text()) >= enough
}

// oneStory says whether two claims of a model about one file, equal in kind, have one cause.
func oneStory(a, b *told) bool {
	same := a.code() == b.code() && len(a.code()) >= tellingEvidence
	if (a.grave() || b.grave()) && !same || !similarWords(a.titleWords(), b.titleWords()) || !sameNames(a, b) {
		return false
	}
	return same || a.lines()[b.Line] || b.lines()[a.Line] || overlap(a.story(), b.story()) >= sameStory
}

// twoEnds says whether a, which names b's file, and b speak of one cause from its two ends.
func twoEnds(a, b *told) bool {
	same := a.code() == b.code() && len(a.code()) >= tellingEvidence
	if (a.grave() || b.grave()) && !same || a.Severity != b.Severity || a.status() != b.status() || shareSource(&a.Finding, &b.Finding) {
		return false
	}
	return SameFamily(a.Category, b.Category) && similarWords(a.titleWords(), b.titleWords()) && sameNames(a, b) &&
		overlap(a.story(), b.story()) >= sameStory
}

// sameNames says whether one title names nothing in the code that the other does not name as well.
func sameNames(a, b *told) bool { return subset(a.names(), b.names()) || subset(b.names(), a.names()) }

// told is a finding with what its text says, worked out when first asked for.
type told struct {
	Finding
	squeezed                       *string
	title, said, explained, called map[string]bool
	told                           map[int]bool
}

func (t *told) code() string {
	if t.squeezed == nil {
		s := squeezeText(t.Evidence)
		t.squeezed = &s
	}
	return *t.squeezed
}

func (t *told) grave() bool {
	return taxonomy.Rank(t.Severity) >= taxonomy.Rank("high") && taxonomy.About(t.Category).Security
}

func (t *told) status() string {
	if t.Verification == nil {
		return ""
	}
	return t.Verification.Status
}

// kind is what claims must agree in before their texts are compared.
func (t *told) kind() string { return t.Category + "\x00" + t.Severity + "\x00" + t.status() }

func (t *told) titleWords() map[string]bool {
	if t.title == nil {
		t.title = words(t.Title)
	}
	return t.title
}

func (t *told) text() map[string]bool {
	if t.said == nil {
		t.said = uncommon(t.Title + " " + t.Explanation)
	}
	return t.said
}

// story is what the explanation says; titles are compared by themselves.
func (t *told) story() map[string]bool {
	if t.explained == nil {
		t.explained = uncommon(t.Explanation)
	}
	return t.explained
}

func uncommon(text string) map[string]bool {
	set := words(text)
	for w := range set {
		if common[w] {
			delete(set, w)
		}
	}
	return set
}

var (
	codeName   = pattern.New("`[^`\n]{2,80}`|[A-Za-z_][A-Za-z0-9_.]*[A-Za-z0-9_](?:\\(\\))?")
	fileName   = pattern.New(`[A-Za-z0-9_@+\-]+\.[A-Za-z0-9_]{1,12}`)
	lineNumber = pattern.New(`(?i)\b(?:lines?\s+|[a-z0-9_]+\.[a-z0-9]+:)(\d{1,7})(?:\s*(?:-|–|to|and)\s*(\d{1,7}))?`)
)

// names are the names of the code in the title: with an underscore, a dot, a call's parentheses, or capitals inside.
func (t *told) names() map[string]bool {
	if t.called == nil {
		t.called = map[string]bool{}
		for _, w := range codeName.FindAllString(t.Title, 50) {
			bare := strings.TrimSuffix(strings.Trim(w, "`"), "()")
			if bare != w || strings.ContainsAny(bare, "_.") || strings.ToLower(bare[1:]) != bare[1:] && strings.ToUpper(bare) != bare {
				t.called[bare] = true
			}
		}
	}
	return t.called
}

// files are the base names of the files that the text may name.
func (t *told) files() map[string]bool {
	set := map[string]bool{}
	for _, w := range fileName.FindAllString(t.Title+" "+t.Explanation, 100) {
		set[w] = true
	}
	return set
}

// lines are the lines that the explanation names.
func (t *told) lines() map[int]bool {
	if t.told == nil {
		t.told = map[int]bool{}
		for _, m := range lineNumber.FindAllStringSubmatch(t.Explanation, 100) {
			for _, n := range m[1:] {
				if line, err := strconv.Atoi(n); err == nil {
					t.told[line] = true
				}
			}
		}
	}
	return t.told
}

// overlap is the share of the smaller set that the larger one has; 0 where that is fewer than 4 words.
func overlap(a, b map[string]bool) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 {
		return 0
	}
	n := 0
	for w := range a {
		if b[w] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}

func subset(a, b map[string]bool) bool {
	for w := range a {
		if !b[w] {
			return false
		}
	}
	return true
}
