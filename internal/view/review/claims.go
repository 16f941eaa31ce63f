package review

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

// What is kept of a review at work.
const (
	maxClaims      = 1_000    // that workers made
	maxClaimsShown = 200      // once those of one defect are one
	maxSpans       = 100_000  // pieces of files in prompts
	maxPace        = 64 << 20 // bytes of dispatches that are read for one answer: the next one goes on
)

// Claims are what workers have claimed of a review that has no report yet, nothing of it checked: the document "claims".
type Claims struct {
	Findings []Finding `json:"findings"` // the gravest first
	More     int       `json:"more"`     // that are not listed
}

// claims are what a journal's answered dispatches say, read as far as seen.
type claims struct {
	mu     sync.Mutex
	seen   int
	all    []finding.Finding
	spans  map[string][][2]int // by file: the lines that stood in prompts
	pieces int
}

// claimed reads what has been appended to the journal.
func (r *Run) claimed(s traces.Snapshot) *claims {
	c := &r.claims
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.spans == nil || s.Len() < c.seen { // or the journal was begun again
		c.seen, c.all, c.spans, c.pieces = 0, nil, map[string][][2]int{}, 0
	}
	c.seen = s.Answered(c.seen, maxPace, c.add)
	return c
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
var promptHeader = regexp.MustCompile(`(?m)^=== FILE: (.{1,1000}) \(lines (\d{1,9})-(\d{1,9}) of \d{1,9}\) ===$`)

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

// claimsSoFar answers "claims".
func (r *Run) claimsSoFar(rest string) (any, error) {
	if rest != "" {
		return nil, doc.NotFound("there is no %q below claims", doc.Clip(rest, 80))
	}
	s, err := r.trace().Refresh()
	if err != nil {
		return nil, err
	}
	c := r.claimed(s)
	c.mu.Lock()
	all := slices.Clone(c.all)
	c.mu.Unlock()
	all = finding.Merge(all)
	finding.Sort(all)
	out := Claims{Findings: []Finding{}, More: max(0, len(all)-maxClaimsShown)}
	taken := map[string]bool{}
	for i, f := range all[:min(len(all), maxClaimsShown)] {
		out.Findings = append(out.Findings, shownFinding(f, uniqueID(f.ID, "c", i, taken)))
	}
	return out, nil
}
