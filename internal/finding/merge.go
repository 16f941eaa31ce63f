package finding

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

const (
	// nearLines is how far apart two claims about one defect may lie.
	nearLines = 3
	// similarTitles is the share of common words at which two titles say the same (Jaccard index of their word sets).
	similarTitles = 0.6
)

// Merge joins the claims about one defect: same file, overlapping or within 3 lines, and the same category or titles that
// say the same. Two claims of one source that do not overlap stay two, for that source saw both. The joined finding keeps
// the strongest claim's place, the highest severity and confidence, the fullest explanation, and all sources.
//
// The result is in report order (severity, file, line), has its IDs, and does not depend on the order of fs.
func Merge(fs []Finding) []Finding {
	out, _ := MergeTracked(fs, nil)
	return out
}

// MergeTracked is [Merge] that also says of which of fs, by their indexes, each finding was made, the strongest first. IDs
// that are taken are not given again.
func MergeTracked(fs []Finding, taken func(id string) bool) (merged []Finding, from [][]int) {
	byStrength := make([]joined, len(fs))
	for i, f := range fs {
		f.Sources = slices.Clone(f.Sources)
		slices.Sort(f.Sources)
		f.Sources = slices.Compact(f.Sources)
		byStrength[i] = joined{Finding: f, from: []int{i}}
	}
	slices.SortStableFunc(byStrength, func(a, b joined) int { return stronger(a.Finding, b.Finding) })
	kept := map[string][]int{} // file -> indexes in out
	var out []joined
	for _, f := range byStrength {
		i := slices.IndexFunc(kept[f.File], func(i int) bool {
			return sameDefect(&out[i].Finding, &f.Finding, func() bool { return similarWords(out[i].words(), f.words()) })
		})
		if i < 0 {
			kept[f.File] = append(kept[f.File], len(out))
			out = append(out, f)
			continue
		}
		one := &out[kept[f.File][i]]
		absorb(&one.Finding, f.Finding)
		one.from = append(one.from, f.from...)
	}
	slices.SortStableFunc(out, func(a, b joined) int { return inReport(a.Finding, b.Finding) })
	for _, one := range out {
		merged, from = append(merged, one.Finding), append(from, one.from)
	}
	identify(merged, taken)
	return merged, from
}

// joined is a finding with the indexes of the claims that made it.
type joined struct {
	Finding
	from []int
	said map[string]bool // the words of its title, which no claim that joins changes; nil until they are asked for
}

func (j *joined) words() map[string]bool {
	if j.said == nil {
		j.said = words(j.Title)
	}
	return j.said
}

// Sort puts findings in report order: severity, file, line, and then every other field, so that the order is total.
func Sort(fs []Finding) {
	slices.SortStableFunc(fs, inReport)
}

func inReport(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(taxonomy.Rank(b.Severity), taxonomy.Rank(a.Severity)),
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.EndLine, b.EndLine),
		cmp.Compare(a.Category, b.Category),
		cmp.Compare(a.Title, b.Title),
		cmp.Compare(a.Evidence, b.Evidence),
		cmp.Compare(a.Explanation, b.Explanation),
		slices.Compare(a.Sources, b.Sources),
	)
}

func stronger(a, b Finding) int {
	grounded := func(f Finding) int {
		if f.Grounded {
			return 0
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(grounded(a), grounded(b)),
		cmp.Compare(taxonomy.Rank(b.Severity), taxonomy.Rank(a.Severity)),
		cmp.Compare(b.Confidence, a.Confidence),
		cmp.Compare(a.EndLine-a.Line, b.EndLine-b.Line),
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(len(b.Explanation), len(a.Explanation)),
		cmp.Compare(a.Category, b.Category),
		cmp.Compare(a.Title, b.Title),
		cmp.Compare(a.Evidence, b.Evidence),
		cmp.Compare(a.Explanation, b.Explanation),
		cmp.Compare(a.Suggestion, b.Suggestion),
		cmp.Compare(a.CWE, b.CWE),
		cmp.Compare(a.Rule, b.Rule),
		slices.Compare(a.Sources, b.Sources),
	)
}

// sameDefect asks alike whether the titles say the same.
func sameDefect(a, b *Finding, alike func() bool) bool {
	if a.Grounded != b.Grounded {
		return false
	}
	gap := max(b.Line-a.EndLine, a.Line-b.EndLine)
	if gap > nearLines {
		return false
	}
	if gap > 0 && shareSource(a, b) {
		return false
	}
	if !a.Grounded && a.Line == 0 {
		return alike()
	}
	return a.Category == b.Category || alike()
}

func shareSource(a, b *Finding) bool {
	return slices.ContainsFunc(a.Sources, func(s string) bool { return slices.Contains(b.Sources, s) })
}

// absorb adds what f knows to keep, which is the stronger claim.
func absorb(keep *Finding, f Finding) {
	keep.Sources = append(keep.Sources, f.Sources...)
	slices.Sort(keep.Sources)
	keep.Sources = slices.Compact(keep.Sources)
	if taxonomy.Rank(f.Severity) > taxonomy.Rank(keep.Severity) {
		keep.Severity = f.Severity
	}
	keep.Confidence = max(keep.Confidence, f.Confidence)
	if len(f.Explanation) > len(keep.Explanation) {
		keep.Explanation = f.Explanation
	}
	keep.Suggestion = cmp.Or(keep.Suggestion, f.Suggestion)
	keep.CWE = cmp.Or(keep.CWE, f.CWE)
	if keep.Category == "other" {
		keep.Category = f.Category
	}
}

// SimilarTitles reports whether two titles say the same: at least 60 % of their words are common.
func SimilarTitles(a, b string) bool { return similarWords(words(a), words(b)) }

func similarWords(wa, wb map[string]bool) bool {
	if len(wa) == 0 || len(wb) == 0 {
		return false
	}
	common := 0
	for w := range wa {
		if wb[w] {
			common++
		}
	}
	return float64(common) >= similarTitles*float64(len(wa)+len(wb)-common)
}

func words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		switch w {
		case "a", "an", "the", "in", "of", "to", "is", "and", "or", "via", "with", "on", "for", "by":
		default:
			set[w] = true
		}
	}
	return set
}
