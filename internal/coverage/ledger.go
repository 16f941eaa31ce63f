package coverage

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// Ledger says which lines of a codebase were in a worker's prompt (dispatched), for which of them a usable reply came back
// (answered), which of those the reader could judge (judged), and which were in what the root saw (read). It is safe for
// concurrent use.
type Ledger struct {
	index *index
	lines int    // of all files
	sent  int    // units that were dispatched, again and again
	scope Scope  // what counts
	knows []bool // which contents the reader can judge at all; nil: all

	mu         sync.Mutex
	dispatched marks
	answered   marks
	judged     marks // of the contents that the reader knows
	read       marks
}

// Scope says what a ledger's fraction is of.
type Scope struct {
	// Judges says whether the reader can judge a file: rules exist only for some languages. Defaults to every file.
	Judges func(path string) bool
	// Skipped counts lines of source code that were left out of the codebase though nobody asked for that. They count
	// as lines that were not answered.
	Skipped int
}

// FileCoverage is the ledger's word on one file.
type FileCoverage struct {
	Path       string
	Lines      int
	Dispatched int // lines that reached a worker
	Answered   int // lines for which a usable reply came back
	Judged     int // lines of those that the reader could judge
	Read       int // lines that reached the root
	// DispatchedRanges, AnsweredRanges and JudgedRanges hold the lines as sorted ranges, 1-based, both
	// ends included.
	DispatchedRanges, AnsweredRanges, JudgedRanges [][2]int
}

// Unanswered are the lines that reached a worker and for which no usable reply came back, in the form of the ranges.
func (f FileCoverage) Unanswered() [][2]int { return without(f.DispatchedRanges, f.AnsweredRanges) }

// Unjudged are the lines that were answered and that the reader could not judge, in the form of the ranges.
func (f FileCoverage) Unjudged() [][2]int { return without(f.AnsweredRanges, f.JudgedRanges) }

// half says whether at least half of the lines are there: what it takes for a file to count.
func half(got, lines int32) bool { return 2*got >= lines }

// Totals sums a ledger up.
type Totals struct {
	LinesTotal      int // of all files, and those that the scope says were skipped
	LinesDispatched int
	LinesAnswered   int
	LinesJudged     int // answered lines that the reader could judge
	LinesRead       int
	FilesTotal      int
	FilesDispatched int // at least half of their lines were dispatched
	// LinesSent counts dispatched lines as often as they were sent: the excess over LinesDispatched was sent again.
	// Long lines count as the pieces that they are compared in, blank ones not at all.
	LinesSent int
}

// New opens a ledger of the codebase. It keeps src's texts, which must not
// change, and about 30 bytes a line.
func New(src Source) *Ledger {
	l := &Ledger{index: buildIndex(src)}
	for _, c := range l.index.contents {
		l.lines += int(c.lines) * len(c.files)
	}
	l.dispatched, l.answered, l.judged, l.read = l.index.newMarks(), l.index.newMarks(), l.index.newMarks(), l.index.newMarks()
	return l
}

// SetScope says what counts. It must be called before anything is recorded.
func (l *Ledger) SetScope(s Scope) {
	l.scope, l.knows = s, nil
	if s.Judges == nil {
		return
	}
	l.knows = make([]bool, len(l.index.contents))
	for id, c := range l.index.contents {
		l.knows[id] = slices.ContainsFunc(c.files, func(f int32) bool { return s.Judges(l.index.paths[f]) })
		if !l.knows[id] { // blank lines are covered from the start, and judged by nobody
			l.judged.total -= int(l.judged.lines[id]) * len(c.files)
			l.judged.lines[id] = 0
		}
	}
}

// Dispatch records a prompt that reached a worker and was answered. It returns the paths whose
// lines the prompt held, those with the most first.
func (l *Ledger) Dispatch(prompt string) []string {
	p := l.Match(prompt)
	l.Sent(p)
	l.Answered(p)
	return p.Files
}

// Answered records that a usable reply came back for a prompt that was sent. The reply may name files that its reader could
// not judge: files of the prompt, all others are passed over.
func (l *Ledger) Answered(p Prompt, unjudged ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answered.add(l.index, p.runs)
	l.judged.add(l.index, slices.DeleteFunc(slices.Clone(p.runs), func(r run) bool {
		if l.knows != nil && !l.knows[r.content] {
			return true
		}
		return len(unjudged) > 0 && slices.ContainsFunc(l.index.contents[r.content].files, func(f int32) bool {
			return slices.Contains(unjudged, l.index.paths[f])
		})
	}))
}

// Unanswered counts the lines that prompts hold and that no usable reply came back for, each line once.
func (l *Ledger) Unanswered(prompts ...Prompt) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	prompts = slices.DeleteFunc(slices.Clone(prompts), func(p Prompt) bool { return l.answered.hold(p.runs) })
	if len(prompts) == 0 {
		return 0 // mostly: what failed was asked again
	}
	asked, both := l.index.newMarks(), l.index.newMarks()
	for _, p := range prompts {
		asked.add(l.index, p.runs)
	}
	for i, bits := range asked.bits {
		both.bits[i] = bits | l.answered.bits[i]
	}
	lines := 0
	for id, c := range l.index.contents {
		if asked.lines[id] > 0 && c.n > 0 {
			lines += (count(both.ranges(l.index, int32(id))) - int(l.answered.lines[id])) * len(c.files)
		}
	}
	return lines
}

// Sent records a prompt that was matched before and has reached a worker.
func (l *Ledger) Sent(p Prompt) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dispatched.add(l.index, p.runs)
	for _, r := range p.runs {
		l.sent += int(r.n)
	}
}

// Prompt is what a ledger knows of a prompt, sent or not.
type Prompt struct {
	// Files are the paths whose lines the prompt holds, those with the most first.
	Files []string
	runs  []run
}

// Empty says whether the prompt holds no line of the codebase.
func (p Prompt) Empty() bool { return len(p.runs) == 0 }

// Match says which files a prompt holds lines of, and records nothing.
func (l *Ledger) Match(prompt string) Prompt {
	runs := l.index.match(prompt)
	return Prompt{Files: l.index.held(runs, prompt), runs: runs}
}

// Held gives the lines that a prompt holds, by path, and records nothing. Files of identical content are all given.
func (l *Ledger) Held(prompt string) []FileCoverage {
	runs := l.index.match(prompt)
	m := l.index.newMarks()
	m.add(l.index, runs)
	var files []FileCoverage
	for id, c := range l.index.contents {
		if c.n == 0 || m.lines[id] == 0 {
			continue
		}
		for _, f := range c.files {
			files = append(files, FileCoverage{Path: l.index.paths[f], Lines: int(c.lines), Dispatched: int(m.lines[id]),
				DispatchedRanges: m.ranges(l.index, int32(id))})
		}
	}
	slices.SortFunc(files, func(a, b FileCoverage) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

// Read records text that reached the root: the output of a cell.
func (l *Ledger) Read(text string) {
	runs := l.index.match(text)
	l.mu.Lock()
	l.read.add(l.index, runs)
	l.mu.Unlock()
}

// Fraction is the share of all lines in scope that were answered, and judged where the scope says who can judge; 1 for a
// codebase without lines.
func (l *Ledger) Fraction() float64 {
	all := l.lines + l.scope.Skipped
	if all == 0 {
		return 1
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return float64(l.judged.total) / float64(all)
}

// Totals sums the ledger up.
func (l *Ledger) Totals() Totals {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := Totals{LinesTotal: l.lines + l.scope.Skipped, LinesDispatched: l.dispatched.total, LinesAnswered: l.answered.total,
		LinesJudged: l.judged.total, LinesRead: l.read.total, FilesTotal: len(l.index.paths), LinesSent: l.sent}
	for id, c := range l.index.contents {
		if half(l.dispatched.lines[id], c.lines) {
			t.FilesDispatched += len(c.files)
		}
	}
	return t
}

// Files gives the coverage of every file, sorted by path.
func (l *Ledger) Files() []FileCoverage {
	l.mu.Lock()
	defer l.mu.Unlock()
	files := make([]FileCoverage, len(l.index.paths))
	for id, c := range l.index.contents {
		sent, answered := l.dispatched.ranges(l.index, int32(id)), l.answered.ranges(l.index, int32(id))
		var judged [][2]int
		if l.judged.lines[id] > 0 {
			judged = l.judged.ranges(l.index, int32(id))
		}
		for _, f := range c.files {
			files[f] = FileCoverage{
				Path: l.index.paths[f], Lines: int(c.lines), Dispatched: int(l.dispatched.lines[id]),
				Answered: int(l.answered.lines[id]), Judged: int(l.judged.lines[id]), Read: int(l.read.lines[id]),
				DispatchedRanges: slices.Clone(sent), AnsweredRanges: slices.Clone(answered), JudgedRanges: slices.Clone(judged),
			}
		}
	}
	return files
}

// Uncovered gives the files of which less than half was answered, those that
// lack the most lines first.
func (l *Ledger) Uncovered() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	type lack struct {
		path string
		n    int32
	}
	var lacks []lack
	for id, c := range l.index.contents {
		got := l.answered.lines[id]
		if half(got, c.lines) {
			continue
		}
		for _, f := range c.files {
			lacks = append(lacks, lack{l.index.paths[f], c.lines - got})
		}
	}
	slices.SortFunc(lacks, func(a, b lack) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.path, b.path))
	})
	paths := make([]string, len(lacks))
	for i := range lacks {
		paths[i] = lacks[i].path
	}
	return paths
}

// held gives the paths that runs are of, by lines.
func (x *index) held(runs []run, prompt string) []string {
	score := map[int32]int32{}
	for _, r := range runs {
		score[r.content] += r.n
	}
	ids := slices.SortedFunc(maps.Keys(score), func(a, b int32) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(x.contents[a].files[0], x.contents[b].files[0]))
	})
	paths := make([]string, 0, len(ids))
	for _, id := range ids {
		var named, all []string
		for _, f := range x.contents[id].files {
			all = append(all, x.paths[f])
			if len(x.contents[id].files) > 1 && len(all) <= maxNameFiles && holdsPath(prompt, x.paths[f]) {
				named = append(named, x.paths[f])
			}
		}
		if len(named) > 0 {
			all = named
		}
		paths = append(paths, all...)
	}
	return paths
}
