package locate

import (
	"math"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
)

// What of a history is read.
const (
	maxCommits        = 3000
	maxShared         = 20  // files of a commit above which it says nothing of one of them
	messageSaturation = 1.2 // k1 of BM25 of messages
	fadesAfter        = 2 * 365 * 24 * time.Hour
)

// past is what the history says of files.
type past struct {
	commits []commit
	changes []float64          // by file: how often it was changed
	last    []float64          // by file: days before the newest commit; a large number for what is older than all that was read
	in      map[string]float64 // commits that say a word
	length  float64            // mean words of a message
}

// commit is one as a bag of words.
type commit struct {
	words map[string]float64
	count float64
	files []*file // of those that are there
	fresh float64 // 1 for the newest, 0 for one long ago
}

func readPast(log []codebase.Commit, byPath map[string]*file) past {
	p := past{changes: make([]float64, len(byPath)), last: make([]float64, len(byPath)), in: map[string]float64{}}
	for i := range p.last {
		p.last[i] = 10_000
	}
	for i := range log {
		days := log[0].At.Sub(log[i].At).Hours() / 24
		c := commit{words: map[string]float64{}, fresh: math.Exp(-days / (fadesAfter.Hours() / 24))}
		for _, name := range log[i].Files {
			if f := byPath[name]; f != nil {
				c.files = append(c.files, f)
				p.changes[f.id]++
				p.last[f.id] = min(p.last[f.id], max(days, 0))
			}
		}
		if len(c.files) == 0 || len(c.files) > maxShared {
			continue
		}
		eachWord(log[i].Message, func(w string, _ int) {
			if !common[w] {
				c.words[w]++
				c.count++
			}
		})
		for w := range c.words {
			p.in[w]++
		}
		p.length += c.count
		p.commits = append(p.commits, c)
	}
	p.length /= max(float64(len(p.commits)), 1)
	return p
}

// told scores files by the messages of the commits that changed them: BM25 of each message for the query, shared among the
// commit's files and fading with age. Of one file the best few count.
func (p *past) told(q *query, files int) []float64 {
	out := make([]float64, files)
	for _, c := range p.commits {
		sum := 0.0
		for t, w := range q.terms {
			if n := c.words[w]; n > 0 {
				sum += q.said(t) * rarity(len(p.commits), p.in[w]) * n / (n + messageSaturation*(0.25+0.75*c.count/p.length))
			}
		}
		if sum == 0 {
			continue
		}
		sum *= sum * (0.3 + 0.7*c.fresh) / math.Sqrt(float64(len(c.files)))
		for _, f := range c.files {
			out[f.id] += sum
		}
	}
	for i := range out {
		out[i] = math.Sqrt(out[i]) / (1 + 0.3*math.Log1p(p.changes[i]))
	}
	return out
}

// together scores files by how often they were changed with those that have a score: the share of their commits.
func (p *past) together(seeds []float64) []float64 {
	out := make([]float64, len(seeds))
	for _, c := range p.commits {
		if len(c.files) < 2 {
			continue
		}
		for _, f := range c.files {
			for _, s := range c.files {
				if s != f && seeds[s.id] > 0 && !s.test {
					out[f.id] += seeds[s.id] * c.fresh / (float64(len(c.files)-1) * math.Sqrt(1+p.changes[s.id]))
				}
			}
		}
	}
	return out
}
