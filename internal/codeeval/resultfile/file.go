package resultfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Forms of result files.
const (
	FormReference = "reference"  // the reference RLVF experiment's document
	FormHumanEval = "human-eval" // rows of task_id, completion, result, passed
	FormEvalPlus  = "evalplus"   // a document with "eval"
	FormOurs      = "deeprepo"   // rows with a verdict, or a directory of them
	FormSamples   = "samples"    // rows without verdicts
)

// File is a result file as it was read. Tasks are in natural order, so that HumanEval/2 comes before HumanEval/10.
type File struct {
	Path, Form string
	// Model is the name that the file gives; "" when it gives none.
	Model string
	Tasks []Task
	// Claimed is the number of passes that the file's own header states; nil when it states none.
	Claimed *int
	// Cut is the number of characters at which texts were cut off when they were stored, 0 when they were not, and CutWhy
	// is how that is known.
	Cut    int
	CutWhy string
	// Notes say what a reader should know, such as a header that contradicts its rows.
	Notes []string
}

// Task is what a file holds of one task.
type Task struct {
	// ID is the task's name as the file spells it.
	ID      string
	Samples []Sample
}

// Kind is the kind of a sample's text.
type Kind string

// Kinds of texts.
const (
	Absent     Kind = "absent"     // the file does not hold it
	Completion Kind = "completion" // what continues the task's prompt
	Program    Kind = "program"    // a whole program, to be judged as it is
)

// Sample is one generated program and what was said about it.
type Sample struct {
	// Index is the sample's number within its task; 0 where the file numbers none.
	Index int
	Text  string
	Kind  Kind
	// Mode is how Text was asked for, where a run of ours says it: "chat", "complete" or "fewshot". Then code has to be
	// found in it. Everybody else stores code; "" is code as it is.
	Mode string
	// Passed is the recorded verdict; nil when the file records none.
	Passed *bool
	// Result is the verdict in the file's own words.
	Result string
	// Program is what was run, where a run of ours says it and it is not Text as it is; Said is why it did not pass.
	Program, Said string
	// Truncated says that Text is not all that was generated.
	Truncated bool
}

// Empty reports a sample whose text is known and holds only white space.
func (s Sample) Empty() bool { return s.Kind != Absent && strings.TrimSpace(s.Text) == "" }

// Samples counts them.
func (f *File) Samples() int {
	n := 0
	for _, t := range f.Tasks {
		n += len(t.Samples)
	}
	return n
}

// Passed counts the samples that are recorded as passed, and those with a verdict at all.
func (f *File) Passed() (passed, judged int) {
	for _, t := range f.Tasks {
		for _, s := range t.Samples {
			if s.Passed == nil {
				continue
			}
			judged++
			if *s.Passed {
				passed++
			}
		}
	}
	return passed, judged
}

// referenceCut is where the reference experiment cut what it stored: its evaluator wrote completion[:500].
const referenceCut = 500

// A cut is concluded from lengths alone when at least cutRepeats different texts have exactly the greatest length, that is
// at least cutFrom characters, and those are cutPeak times as many as the lengths just below have each: texts that end by
// themselves thin out towards the longest, texts that were cut pile up there.
const (
	cutRepeats = 3
	cutFrom    = 100
	cutPeak    = 5
	cutWindow  = 20 // the lengths below: one in so many of the greatest
)

// findCut settles Cut and marks the samples that it concerns. Lengths are in code points, as Python counts.
func (f *File) findCut() {
	longest := 0
	texts := map[string]bool{} // the distinct ones of that length
	lengths := map[int]int{}
	for _, t := range f.Tasks {
		for _, s := range t.Samples {
			n := utf8.RuneCountInString(s.Text)
			lengths[n]++
			if n > longest {
				longest = n
				clear(texts)
			}
			if n == longest && n > 0 {
				texts[s.Text] = true
			}
		}
	}
	window, below := longest/cutWindow, 0
	for n := longest - window; n < longest; n++ {
		below += lengths[n]
	}
	switch {
	case f.Form == FormReference && longest == referenceCut:
		f.Cut, f.CutWhy = referenceCut, "the reference experiment stored the first 500 characters of each completion"
	case len(texts) >= cutRepeats && longest >= cutFrom && len(texts)*window >= cutPeak*below:
		f.Cut, f.CutWhy = longest, fmt.Sprintf("%d different texts have exactly the greatest length", len(texts))
	default:
		return
	}
	for i := range f.Tasks {
		for k := range f.Tasks[i].Samples {
			s := &f.Tasks[i].Samples[k]
			s.Truncated = s.Truncated || utf8.RuneCountInString(s.Text) == f.Cut
		}
	}
}

// CompareIDs orders task names naturally: runs of digits by their value, the rest by letters.
func CompareIDs(a, b string) int {
	whole := cmp.Compare(a, b)
	for a != "" && b != "" {
		da, db := digits(a), digits(b)
		if da > 0 && db > 0 {
			na, nb := strings.TrimLeft(a[:da], "0"), strings.TrimLeft(b[:db], "0")
			if c := cmp.Or(cmp.Compare(len(na), len(nb)), cmp.Compare(na, nb)); c != 0 {
				return c
			}
			a, b = a[da:], b[db:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), whole)
}

// digits is how many digits s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// Key is what two spellings of a task's name have in common: case does not count, and MBPP's tasks are 11, MBPP/11 or
// Mbpp/11.
func Key(id string) string {
	key := strings.ToLower(strings.TrimSpace(id))
	if number, ok := strings.CutPrefix(key, "mbpp/"); ok {
		return number
	}
	return key
}

// collector gathers samples by task.
type collector struct {
	tasks []Task
	at    map[string]int
	count int
}

// add appends a sample to its task and reports whether there was room.
func (c *collector) add(id string, s Sample) bool {
	if c.at == nil {
		c.at = map[string]int{}
	}
	i, known := c.at[Key(id)]
	if !known {
		i = len(c.tasks)
		c.at[Key(id)] = i
		c.tasks = append(c.tasks, Task{ID: id})
	}
	c.tasks[i].Samples = append(c.tasks[i].Samples, s)
	c.count++
	return c.count <= maxSamples
}

// sorted is the tasks in natural order, and their samples in that of their numbers.
func (c *collector) sorted() []Task {
	slices.SortStableFunc(c.tasks, func(a, b Task) int { return CompareIDs(a.ID, b.ID) })
	for _, t := range c.tasks {
		slices.SortStableFunc(t.Samples, func(a, b Sample) int { return cmp.Compare(a.Index, b.Index) })
	}
	return c.tasks
}
