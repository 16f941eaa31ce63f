package review

import (
	"cmp"
	"slices"
	"strconv"
	"sync"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// What is kept of a review at work.
const (
	maxClaims = 1_000   // that workers made
	maxSpans  = 100_000 // pieces of files in prompts
)

// claims are what a journal's answered dispatches say, read as far as seen.
type claims struct {
	mu     sync.Mutex
	seen   int
	all    []finding.Finding
	spans  map[string][][2]int // by file: the lines that stood in prompts
	pieces int
}

// add takes up a dispatch.
func (c *claims) add(d *trace.Dispatch) {
	if d.Purpose != trace.PurposeReview {
		return
	}
	for _, m := range promptHeader.FindAllStringSubmatch(d.Prompt, maxSpans-c.pieces) {
		from, err := strconv.Atoi(m[2])
		to, err2 := strconv.Atoi(m[3])
		if err == nil && err2 == nil && from >= 1 && from <= to {
			c.spans[m[1]] = append(c.spans[m[1]], [2]int{from, to})
			c.pieces++
		}
	}
	parsed, err := finding.Parse(d.Reply)
	if err != nil {
		return
	}
	c.all = append(c.all, parsed.Findings[:min(len(parsed.Findings), maxClaims-len(c.all))]...)
}

// promptHeader is what stands over a file's lines in a prompt.
var promptHeader = pattern.New(`(?m)^=== FILE: (.{1,1000}) \(lines (\d{1,9})-(\d{1,9}) of \d{1,9}\) ===$`)

// lines is how many lines stood in prompts that were answered, each once.
func (c *claims) lines() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	sum := 0
	for path, spans := range c.spans {
		slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
		joined := spans[:1]
		for _, s := range spans[1:] {
			if last := &joined[len(joined)-1]; s[0] <= last[1]+1 {
				last[1] = max(last[1], s[1])
			} else {
				joined = append(joined, s)
			}
		}
		c.spans[path] = joined
		for _, s := range joined {
			sum += s[1] - s[0] + 1
		}
	}
	return sum
}
