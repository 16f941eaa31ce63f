package finding

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// identify sets fingerprints and IDs of sorted findings. An ID is 16 hex digits over file, category and quoted code, and a
// running number for equal ones, without those that are taken. Line numbers are left out, so that code added above does not
// change an ID.
func identify(fs []Finding, taken func(id string) bool) {
	order := make([]int, len(fs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(fs[i].File, fs[j].File), cmp.Compare(fs[i].Line, fs[j].Line))
	})
	seen := map[string]int{}
	for _, i := range order {
		fs[i].Fingerprint = Fingerprint(fs[i])
		key := fs[i].File + "\x00" + whatOf(fs[i])
		for again := true; again; {
			fs[i].ID = digest(key + "\x00" + strconv.Itoa(seen[key]))
			seen[key]++
			again = taken != nil && taken(fs[i].ID)
		}
	}
}

// Fingerprint is what a finding is known by in other states of its codebase: 16 hex digits over category and quoted code
// without white space, and of one that is not grounded its title. It does not change when lines move, the file is renamed or
// code is formatted; findings of the same code in several places share it.
func Fingerprint(f Finding) string { return digest("fingerprint\x00" + whatOf(f)) }

// whatOf is what is claimed of which code.
func whatOf(f Finding) string {
	what := squeezeText(f.Evidence)
	if !f.Grounded {
		what = "ungrounded\x00" + strings.ToLower(squeezeText(f.Title)) + "\x00" + what
	}
	return f.Category + "\x00" + what
}

// IsID reports whether a word has the form of an ID, which is that of a fingerprint.
func IsID(word string) bool {
	digits, err := hex.DecodeString(word)
	return err == nil && len(digits) == 8 && strings.ToLower(word) == word
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

// Persisting says for each finding of now which of old it is, by its index, or -1. Both have one place each ([Apart]). An old
// finding stands for one new one. What is surest comes first: the same ID; the same fingerprint in the same file, the nearest
// line first; the same fingerprint in another file, where the quoted code tells enough or the whole file was renamed as far
// as findings show; in one file, or in one that was renamed, the same category and a similar title.
func Persisting(old, now []Finding) []int {
	m := recognise(old, now)
	m.similar()
	return m.of
}

// Recognised is Persisting by ID and fingerprint alone: what says the same of other code is another finding.
func Recognised(old, now []Finding) []int { return recognise(old, now).of }

func recognise(old, now []Finding) *matching {
	m := &matching{old: old, now: now, of: make([]int, len(now)), used: make([]bool, len(old)), renamed: map[string]string{}}
	for i := range m.of {
		m.of[i] = -1
	}
	m.by(func(f Finding) string { return f.ID })
	m.by(func(f Finding) string { return inFile(f, f.Fingerprint) })
	m.acrossFiles()
	return m
}

// matching is a Persisting that is worked out.
type matching struct {
	old, now []Finding
	of       []int
	used     []bool
	renamed  map[string]string // files of now -> files of old
}

func inFile(f Finding, what string) string {
	if what == "" {
		return ""
	}
	return f.File + "\x00" + what
}

func (m *matching) pair(k, i int) {
	m.of[i], m.used[k] = k, true
	if old, now := m.old[k].File, m.now[i].File; old != now && m.renamed[now] == "" {
		m.renamed[now] = old
	}
}

// by pairs what has the same key, the nearest lines first. An empty key is nobody's.
func (m *matching) by(key func(Finding) string) {
	had := map[string][]int{}
	for k, f := range m.old {
		if id := key(f); id != "" && !m.used[k] {
			had[id] = append(had[id], k)
		}
	}
	has := map[string][]int{}
	var order []string
	for i, f := range m.now {
		if id := key(f); m.of[i] < 0 && len(had[id]) > 0 {
			if has[id] == nil {
				order = append(order, id)
			}
			has[id] = append(has[id], i)
		}
	}
	for _, id := range order {
		m.nearest(had[id], has[id])
	}
}

// mostAlike is up to how many findings of one key the nearest are looked for: more are paired as they come.
const mostAlike = 200

// nearest pairs findings of one key.
func (m *matching) nearest(old, now []int) {
	if len(old) > mostAlike || len(now) > mostAlike {
		for n := range min(len(old), len(now)) {
			m.pair(old[n], now[n])
		}
		return
	}
	type pair struct{ k, i int }
	var pairs []pair
	for _, i := range now {
		for _, k := range old {
			pairs = append(pairs, pair{k, i})
		}
	}
	far := func(p pair) int { return max(m.old[p.k].Line-m.now[p.i].Line, m.now[p.i].Line-m.old[p.k].Line) }
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Or(cmp.Compare(far(a), far(b)), a.k-b.k, a.i-b.i) })
	for _, p := range pairs {
		if m.of[p.i] < 0 && !m.used[p.k] {
			m.pair(p.k, p.i)
		}
	}
}

// acrossFiles pairs equal fingerprints of two files.
func (m *matching) acrossFiles() {
	before, after := files(m.old), files(m.now)
	m.by(func(f Finding) string {
		lonely := before[f.File] != after[f.File] // the file has findings on one side only
		if !lonely && len(squeezeText(f.Evidence)) < tellingEvidence {
			return ""
		}
		return f.Fingerprint
	})
}

func files(fs []Finding) map[string]bool {
	set := map[string]bool{}
	for _, f := range fs {
		set[f.File] = true
	}
	return set
}

// mostCompared is how many titles are compared with others: a report of a stranger's may hold any number.
const mostCompared = 1 << 20

// similar pairs findings of one category in one file whose titles say the same.
func (m *matching) similar() {
	left := map[string][]int{}
	said := map[int]map[string]bool{}
	for k, f := range m.old {
		if !m.used[k] {
			left[inFile(f, f.Category)] = append(left[inFile(f, f.Category)], k)
			said[k] = words(f.Title)
		}
	}
	compared := 0
	for i, f := range m.now {
		if m.of[i] >= 0 {
			continue
		}
		title := words(f.Title)
		f.File = cmp.Or(m.renamed[f.File], f.File)
		for _, k := range left[inFile(f, f.Category)] {
			if compared++; compared > mostCompared {
				return
			}
			if !m.used[k] && similarWords(said[k], title) {
				m.pair(k, i)
				break
			}
		}
	}
}

// WithID are the indices of the IDs that one, or the beginning of one, can mean: of those that are it whole the first alone.
func WithID(ids []string, id string) (fits []int) {
	for i, known := range ids {
		switch {
		case known == id:
			return []int{i}
		case id != "" && strings.HasPrefix(known, id):
			fits = append(fits, i)
		}
	}
	return fits
}
