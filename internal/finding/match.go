package finding

import (
	"cmp"
	"slices"
)

// Truth is a defect that is known to be in a codebase.
type Truth struct {
	// File is the path in the codebase, slash-separated and relative.
	File string
	// Line and EndLine are 1-based and inclusive; an EndLine before Line counts as Line. A truth without a line cannot
	// be matched.
	Line, EndLine int
	// Category is one of [taxonomy.Categories].
	Category string
}

// maxSpan is how many lines a finding may span beyond the truth's own number of lines. A longer one names a region
// and not a place, and fits nothing: one claim about a whole file must not find what is in it.
const maxSpan = 30

// MatchOptions configures Match.
type MatchOptions struct {
	// Near is how many lines a finding may lie off a truth; less than 0 asks for overlapping ranges. Defaults to 3.
	Near int
	// Decoys are places that look wrong and are right. Defaults to none.
	Decoys []Truth
}

// Matching says which findings are true. Its indexes point into the lists given to Match, in rising order; a pair is a
// truth (or decoy) and a finding. Every finding is in exactly one of Pairs, Duplicates and False.
type Matching struct {
	// Pairs are the truths found, each with the one finding that counts for it.
	Pairs [][2]int
	// Missed are the truths that no finding was left for.
	Missed []int
	// Duplicates are findings that fit a truth for which another one counts. They are not false, nor found again.
	Duplicates []int
	// False are the findings that fit no truth.
	False []int
	// Decoys are those of False that fit a decoy, with the nearest one.
	Decoys [][2]int
}

// Match compares findings with the ground truth. A finding fits a truth in the same file whose lines lie within 3 of its
// own and whose category is the same or of the same family. Each truth counts once and each finding is used once.
//
// As many truths as possible are matched; of the ways to do that, one with the smallest sum of line gaps is taken, then
// with the most categories that are literally the same, then with the closest first lines. So a finding never takes the
// place of another that could have gone elsewhere, one more finding never finds fewer truths, and the order of fs
// decides nothing but which of two identical findings counts.
func Match(truths []Truth, fs []Finding, o MatchOptions) Matching {
	index := indexTruths(truths, o)
	m := Matching{}
	counts := make([]int, len(truths)) // the finding that counts for a truth, or -1
	for i := range counts {
		counts[i] = -1
	}
	fits := make([]bool, len(fs))
	edges := make([][]edge, len(truths))
	groups := newGroups(len(truths))
	for i := range fs {
		first := -1
		index.near(fs[i], func(truth int, cost int64) {
			fits[i] = true
			edges[truth] = append(edges[truth], edge{i, cost})
			if first < 0 {
				first = truth
			}
			groups.join(first, truth)
		})
	}
	for _, members := range groups.all(truths) {
		assign(members, edges, fs, counts)
	}

	used := make([]bool, len(fs))
	for t, f := range counts {
		if f < 0 {
			m.Missed = append(m.Missed, t)
			continue
		}
		used[f] = true
		m.Pairs = append(m.Pairs, [2]int{t, f})
	}
	decoys := indexTruths(o.Decoys, o)
	for i := range fs {
		switch {
		case used[i]:
		case fits[i]:
			m.Duplicates = append(m.Duplicates, i)
		default:
			m.False = append(m.False, i)
			if d, ok := decoys.nearest(fs[i]); ok {
				m.Decoys = append(m.Decoys, [2]int{d, i})
			}
		}
	}
	return m
}

// families lists the pairs of categories between which a careful reader of one and the same defect can go either way, so
// that the word is taste and not diagnosis. It is a list of pairs and not of sets: a wide word like "logic" must not
// connect what has nothing in common.
//
// Left out on purpose: cause and consequence (error-handling and data-loss, concurrency and data-loss, null-dereference
// and error-handling), because the cause is what has to be fixed; resource-leak and performance, because a leak ends a
// process and a slow loop does not; secrets and auth, deserialization and injection, path-traversal and injection, auth
// and csrf, weak-crypto and configuration, because the vocabulary has the narrower word and workers are shown it; and
// "other" and "maintainability" with anything, because they diagnose nothing.
//
// A spammer gains little: on a place it already knows it has to guess one of 28 words, and no word stands for more than
// three.
func families() [][2]string {
	return [][2]string{
		// "<" for "<=" is a wrong comparison, a bound that is off by one, and wrong logic.
		{"off-by-one", "comparison"},
		{"off-by-one", "logic"},
		{"comparison", "logic"},
		// XSS is injection into HTML: CWE-79 is a child of CWE-74, and OWASP's 2021 list has it under Injection.
		{"injection", "xss"},
		// A password in a log line is a leaked secret and a leak of private data (CWE-532).
		{"secrets", "privacy"},
	}
}

// SameFamily reports whether two categories are the same or name the same kind of defect.
func SameFamily(a, b string) bool {
	return a == b || slices.Contains(families(), [2]string{a, b}) || slices.Contains(families(), [2]string{b, a})
}

// Costs of an assignment: gaps before categories before first lines. The weights keep that order for sums over 1,000
// truths, and a file does not have more within a few lines of each other.
const (
	costGap      = 1 << 30
	costCategory = 1 << 20
	costMaxStart = 1<<10 - 1
)

// truthIndex finds the truths near a finding.
type truthIndex struct {
	o      MatchOptions
	truths []Truth
	files  map[string]*fileTruths
}

type fileTruths struct {
	order []int // truths of the file by Line
	reach []int // reach[i] is the largest end of order[:i+1]
}

func indexTruths(truths []Truth, o MatchOptions) truthIndex {
	switch {
	case o.Near == 0:
		o.Near = nearLines
	case o.Near < 0:
		o.Near = 0
	}
	x := truthIndex{o: o, truths: truths, files: map[string]*fileTruths{}}
	for i, t := range truths {
		if t.Line <= 0 {
			continue
		}
		if x.files[t.File] == nil {
			x.files[t.File] = &fileTruths{}
		}
		x.files[t.File].order = append(x.files[t.File].order, i)
	}
	for _, f := range x.files {
		slices.SortStableFunc(f.order, func(i, j int) int { return cmp.Compare(truths[i].Line, truths[j].Line) })
		reach := 0
		for _, i := range f.order {
			reach = max(reach, lastLine(truths[i].Line, truths[i].EndLine))
			f.reach = append(f.reach, reach)
		}
	}
	return x
}

// near calls yield for each truth that f fits.
func (x truthIndex) near(f Finding, yield func(truth int, cost int64)) {
	file := x.files[f.File]
	if file == nil || f.Line <= 0 {
		return
	}
	end := lastLine(f.Line, f.EndLine)
	// Comparing differences of positive line numbers cannot overflow, which sums of hostile ones could.
	after, _ := slices.BinarySearchFunc(file.order, end, func(i, end int) int {
		if x.truths[i].Line-end > x.o.Near {
			return 1
		}
		return -1
	})
	for k := after - 1; k >= 0 && f.Line-file.reach[k] <= x.o.Near; k-- {
		t := x.truths[file.order[k]]
		tEnd := lastLine(t.Line, t.EndLine)
		gap := max(0, f.Line-tEnd, t.Line-end)
		if gap > x.o.Near || end-f.Line-(tEnd-t.Line) > maxSpan {
			continue
		}
		cost := int64(gap)*costGap + int64(min(max(f.Line-t.Line, t.Line-f.Line), costMaxStart))
		if f.Category != t.Category {
			if !SameFamily(f.Category, t.Category) {
				continue
			}
			cost += costCategory
		}
		yield(file.order[k], cost)
	}
}

func (x truthIndex) nearest(f Finding) (truth int, ok bool) {
	best := int64(0)
	x.near(f, func(t int, cost int64) {
		if !ok || cost < best || cost == best && t < truth {
			truth, best, ok = t, cost, true
		}
	})
	return truth, ok
}

func lastLine(line, end int) int { return max(line, end) }
