package pairs

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/pairs/similar"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// AuditConfig says what to hold pairs against.
type AuditConfig struct {
	// File is what the report calls the pairs. Defaults to "".
	File string
	// Set is the dataset whose tests judge the programs. Defaults to none: nothing is executed.
	Set *dataset.Set
	// Box runs programs. Defaults to none: nothing is executed.
	Box verify.Executor
	// Extract finds code in replies. Defaults to one that takes texts as they are.
	Extract *extract.Extractor
	// Cache remembers the controls of earlier audits. Defaults to nothing.
	Cache *verify.GateCache
	// Workers is how many programs run at once. Defaults to 2.
	Workers int
	// Evals are evaluation sets whose words the pairs should not hold. Defaults to none; the test split of Set is always
	// among them.
	Evals []*dataset.Set
	// Observe, if set, gets the number of programs run.
	Observe func(done, total int)
	// ObserveGate, if set, gets the number of controls run.
	ObserveGate func(done, total int)
	// Now is the clock. Defaults to time.Now.
	Now func() time.Time
}

// nearly is the Jaccard index of shingles from which two pairs are near-duplicates.
const nearly = 0.85

// Audit looks at pairs from all sides: whether the labels are right, whether they can be guessed without reading the
// programs, how many pairs are duplicates, and what they share with evaluation sets. The error is ctx's, or the
// sandbox's when it does not work at all.
func Audit(ctx context.Context, pairs []Pair, c AuditConfig) (*runfile.PairAudit, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Workers <= 0 {
		c.Workers = 2
	}
	began := c.Now()
	r := &runfile.PairAudit{File: c.File, Pairs: len(pairs), Overlaps: []runfile.PairOverlap{}, Length: new(runfile.PairLength),
		Similarity: new(runfile.PairSimilarity)}
	tasks := group(pairs, c.Set)
	countTasks(r, tasks)
	countDuplicates(r, pairs, tasks)
	measure(r, pairs, tasks)
	if c.Set != nil {
		useDataset(r, pairs, tasks, c.Set)
	}
	overlap(r, pairs, tasks, c.Set, c.Evals)
	if c.Set != nil && c.Box != nil {
		if err := execute(ctx, r, pairs, tasks, c); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.Seconds = c.Now().Sub(began).Seconds()
	warn(r)
	return r, nil
}

// grouping says which pairs belong to the same task.
type grouping struct {
	of    []int           // pair -> group
	pairs [][]int         // group -> pairs
	task  []*dataset.Task // group -> the dataset's task, nil where it has none
	keys  []string        // group -> what the file calls it
}

func group(pairs []Pair, set *dataset.Set) grouping {
	g := grouping{of: make([]int, len(pairs))}
	numbers := map[string]int{}
	byText := textIndex(set)
	for i, p := range pairs {
		key, task := "id:"+p.TaskID, (*dataset.Task)(nil)
		if p.TaskID == "" {
			key = "prompt:" + p.PromptText()
		}
		if set != nil {
			if t, ok := find(set, byText, p); ok {
				key, task = "task:"+t.ID, &t
			}
		}
		n, ok := numbers[key]
		if !ok {
			n = len(g.pairs)
			numbers[key] = n
			g.pairs, g.task, g.keys = append(g.pairs, nil), append(g.task, task), append(g.keys, p.TaskID)
		}
		g.of[i] = n
		g.pairs[n] = append(g.pairs[n], i)
	}
	return g
}

// textIndex finds tasks by what they ask, for rows without a task id. Texts that two tasks share are left out.
func textIndex(set *dataset.Set) map[string]int {
	if set == nil {
		return nil
	}
	index := map[string]int{}
	for i, t := range set.Tasks {
		if _, twice := index[t.Text]; twice {
			i = -1
		}
		index[t.Text] = i
	}
	return index
}

func find(set *dataset.Set, byText map[string]int, p Pair) (dataset.Task, bool) {
	if p.TaskID != "" {
		return set.Find(p.TaskID)
	}
	if i, ok := byText[p.PromptText()]; ok && i >= 0 {
		return set.Tasks[i], true
	}
	return dataset.Task{}, false
}

func countTasks(r *runfile.PairAudit, tasks grouping) {
	var sizes []int
	for _, of := range tasks.pairs {
		sizes = append(sizes, len(of))
	}
	slices.Sort(sizes)
	r.Tasks = len(sizes)
	if len(sizes) > 0 {
		r.PerTask = runfile.PairSpread{Min: sizes[0], Median: sizes[len(sizes)/2], Max: sizes[len(sizes)-1]}
		r.MaxPerTask = r.PerTask.Max
	}
}

func countDuplicates(r *runfile.PairAudit, pairs []Pair, tasks grouping) {
	type side struct {
		group int
		text  string
	}
	programs := map[side]bool{}
	seen := map[string]bool{}
	var index similar.Index
	var owner []int
	for i, p := range pairs {
		programs[side{tasks.of[i], p.ChosenText()}] = true
		programs[side{tasks.of[i], p.RejectedText()}] = true
		if key := p.key(); seen[key] {
			r.ExactDuplicates++
			continue
		} else {
			seen[key] = true
		}
		s := similar.NewSet(p.ChosenText(), p.RejectedText())
		near := index.Near(s, nearly)
		switch {
		case len(near) == 0: // pairs near this one are near-duplicates, too: only the first of its kind is kept
			index.Add(s)
			owner = append(owner, tasks.of[i])
		case slices.ContainsFunc(near, func(n int) bool { return owner[n] == tasks.of[i] }):
			r.NearDuplicates.WithinTasks++
		default:
			r.NearDuplicates.AcrossTasks++
		}
	}
	r.Programs = len(programs)
}

// measure looks at the texts alone.
func measure(r *runfile.PairAudit, pairs []Pair, tasks grouping) {
	differences := make([][]difference, len(tasks.pairs))
	shorter := make([][]float64, len(tasks.pairs))
	described := map[string][]float64{}
	look := func(text string) []float64 {
		if described[text] == nil {
			described[text] = describe(text)
		}
		return described[text]
	}
	for i, p := range pairs {
		chosen, rejected := p.ChosenText(), p.RejectedText()
		a, b := utf8.RuneCountInString(chosen), utf8.RuneCountInString(rejected)
		r.MeanChars.Chosen += float64(a)
		r.MeanChars.Rejected += float64(b)
		r.Fenced.Chosen += int(newSurface(chosen).has(fence))
		r.Fenced.Rejected += int(newSurface(rejected).has(fence))
		switch {
		case a < b:
			r.Length.ChosenShorter++
		case a > b:
			r.Length.ChosenLonger++
		}
		if outside(a, b) {
			r.Length.OutsideWindow++
		}
		g := tasks.of[i]
		shorter[g] = append(shorter[g], sign(float64(b-a)))
		differences[g] = append(differences[g], subtract(look(chosen), look(rejected)))
		e := similar.Edit(chosen, rejected)
		r.Similarity.Mean += e
		r.Similarity.Histogram[min(int(e*10), 9)]++
		if e == 1 {
			r.Similarity.Same++
		}
	}
	if n := float64(len(pairs)); n > 0 {
		r.MeanChars.Chosen /= n
		r.MeanChars.Rejected /= n
		r.Similarity.Mean /= n
	}
	measureLength(r.Length, shorter)
	r.Shortcut = shortcut(shuffled(differences, tasks.keys))
}

func measureLength(l *runfile.PairLength, shorter [][]float64) {
	l.Accuracy, l.Chosen = stats.Mean(slices.Concat(shorter...)), "shorter"
	if l.Accuracy < 0.5 {
		l.Accuracy, l.Chosen = 1-l.Accuracy, "longer"
		for _, task := range shorter {
			for i := range task {
				task[i] = 1 - task[i]
			}
		}
	}
	l.CI = stats.MeanCI(shorter, stats.Unit(0.95))
}

// shuffled puts tasks in an order that has nothing to do with the file's, because the folds take every fifth.
func shuffled(groups [][]difference, keys []string) [][]difference {
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scramble(keys[a]), scramble(keys[b])), cmp.Compare(a, b))
	})
	out := make([][]difference, len(groups))
	for i, g := range order {
		out[i] = groups[g]
	}
	return out
}

func useDataset(r *runfile.PairAudit, pairs []Pair, tasks grouping, set *dataset.Set) {
	use := &runfile.PairDataset{Name: set.Info.Name, Hash: set.Info.Hash, Tasks: len(set.Tasks)}
	for _, t := range set.Tasks {
		use.Usable += int(truth(!measures(t)))
	}
	leak, nameless := 0, 0
	for g, t := range tasks.task {
		if t == nil {
			continue
		}
		use.Covered++
		if measures(*t) {
			leak += len(tasks.pairs[g])
		}
		if t.Entry == "" {
			continue
		}
		name := regexp.MustCompile(`\b` + regexp.QuoteMeta(t.Entry) + `\b`)
		for _, i := range tasks.pairs[g] {
			if !name.MatchString(pairs[i].PromptText()) {
				nameless++
			}
		}
	}
	r.Dataset, r.EvalSplitLeak, r.NamelessPrompts = use, &leak, &nameless
}

// testSplit is the name of the split that models are measured on.
const testSplit = "test"

// measures reports a task that models are measured on: one of a test split, or of a set that has no splits, for such a set
// is for nothing else.
func measures(t dataset.Task) bool { return t.Split == testSplit || t.Split == "" }
