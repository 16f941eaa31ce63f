package rlm

import (
	"sort"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/llm"
)

// MaxOpening is the most characters that the first message to a root, or to a child, has, whatever the codebase holds: the
// file tree takes at most maxTree of them, a child's task maxTask, the names of the entry points maxEntries.
const MaxOpening = maxTree + maxTask + maxEntries + 2_000

const (
	maxTree    = 60_000
	maxTask    = 20_000
	maxEntries = 4_000
)

// metadata is the variable of that name.
type metadata struct {
	TotalFiles     int            `json:"total_files"`
	TotalChars     int            `json:"total_chars"`
	TotalLines     int            `json:"total_lines"`
	FileTypes      map[string]int `json:"file_types"` // lines by language
	LargestFiles   []FileSize     `json:"largest_files"`
	EntryPoints    []string       `json:"entry_points"`
	WorkerMaxChars int            `json:"worker_max_chars"`
	WorkerRules    bool           `json:"worker_rules"` // the workers are static rules, which need whole files
}

// FileSize is a file with its characters.
type FileSize struct {
	Path  string `json:"path"`
	Chars int    `json:"chars"`
}

// Largest lists the n largest files, largest first.
func Largest(c *codebase.Codebase, n int) []FileSize {
	var all []FileSize
	for _, path := range c.Paths() {
		if f, ok := c.File(path); ok {
			all = append(all, FileSize{path, f.Bytes})
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Chars > all[j].Chars })
	return all[:min(n, len(all))]
}

// PromptChars is promptChars with the default cap on replies: what a worker is given at most.
func PromptChars(h llm.Handle) int { return promptChars(h, defaultWorkerTokens) }

// promptChars is the longest prompt that a worker should be given: what fits its context beside the instructions and
// the reply at three characters a token (code is denser than prose), and never more than 48,000 characters, beyond
// which workers overlook more than they find. A handle whose context is unknown gets 24,000.
func promptChars(h llm.Handle, tokens int) int {
	const most, unknown, instructions = 48_000, 24_000, 800
	if h.PromptChars > 0 {
		return h.PromptChars
	}
	if h.Context == 0 {
		return unknown
	}
	return max(1_000, min(most, 3*(h.Context-min(tokens, h.Context/4)-instructions)))
}
