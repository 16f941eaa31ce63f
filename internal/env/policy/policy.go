// Package policy holds scripted policies: exploits that want a reward without the work, tricks that want more than the
// work is worth, nulls that do nothing, random ones, and honest ones that do the work. Audit plays them against any
// environment and says what each earns.
//
// Each policy is one txtar file: its idea, its cells, and the range of the mean reward that it earns in each environment;
// load.go lists them in order. The line "# cell 1 of honest" in a cell stands for that policy's cell. A policy is made of
// ordinary cells, so it plays in every environment with a REPL; a name that a REPL lacks is a NameError that the cell catches.
//
// Invariant: a policy knows only what a language model in its place would know; the one that replays another task's
// answer is handed that answer, as a model that memorised its training set would have it. One that was written for localisation has its
// prompt's issue in the place of ISSUE.
package policy

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// Kind is the purpose of a policy.
type Kind string

// The kinds.
const (
	Exploit Kind = "exploit" // wants reward without work
	Null    Kind = "null"    // does nothing
	Honest  Kind = "honest"  // does the work
	Random  Kind = "random"  // does some work, without sense
	Trick   Kind = "trick"   // sends the code, and has a trick in the place of thought: must not earn more than the honest ones
)

// Policy is a script of replies.
type Policy struct {
	Name  string
	Kind  Kind
	About string // what it tries, in one line
	// Replies are what it says, turn by turn; the last one again and again. Cell makes one of Python.
	Replies []string
	// Memory says that it wants another task's defects, as the variable `memory`: a list of {file, line, ...}.
	Memory bool
	// Only is the environment that it was written for. Defaults to none: it plays everywhere.
	Only string
	// Samples say what it earns in an environment: a range of the mean reward.
	Samples []Sample
}

// Sample is what a policy earns in an environment.
type Sample struct {
	Environment string
	Lo, Hi      float64
}

// Cell is a reply that holds one cell.
func Cell(code string) string {
	return "```python\n" + strings.TrimSpace(code) + "\n```"
}

// All lists the policies: exploits, tricks, nulls, random ones, honest ones.
func All() []Policy { return slices.Clone(loaded()) }

// For lists those that play in an environment: where some were written for it, these and those that have a sample there.
func For(environment string) []Policy {
	own := slices.ContainsFunc(loaded(), func(p Policy) bool { return p.Only == environment })
	return slices.DeleteFunc(All(), func(p Policy) bool {
		sampled := slices.ContainsFunc(p.Samples, func(s Sample) bool { return s.Environment == environment })
		return p.Only != environment && (p.Only != "" || own && !sampled)
	})
}

// Names lists their names.
func Names() []string { return slices.Clone(names) }

// Handle is the policy of that name as a model, named policy/NAME: free and local.
func Handle(name string) (llm.Handle, bool) {
	for _, p := range All() {
		if p.Name == name {
			return p.Handle(nil), true
		}
	}
	return llm.Handle{}, false
}

// Handle is the policy as a model. memory is what it remembers of another task.
func (p Policy) Handle(memory []env.Defect) llm.Handle {
	replies := p.Replies
	if p.Memory {
		replies = append([]string{}, replies...)
		data, err := json.Marshal(memory)
		if err != nil {
			panic(err) // a list of plain strings and numbers
		}
		quoted, err := json.Marshal(string(data))
		if err != nil {
			panic(err)
		}
		replies[0] = strings.Replace(replies[0], "MEMORY", string(quoted), 1)
	}
	name := "policy/" + p.Name
	issue := func(r llm.Request) string {
		if p.Only == "" {
			return "ISSUE"
		}
		return issueIn(r)
	}
	play := func(ctx context.Context, r llm.Request) (llm.Response, error) {
		if err := ctx.Err(); err != nil {
			return llm.Response{}, err
		}
		turn, size := 0, len(r.System)
		for _, m := range r.Messages {
			size += len(m.Content)
			if m.Role == llm.RoleAssistant {
				turn++
			}
		}
		text, free := strings.ReplaceAll(replies[min(turn, len(replies)-1)], "ISSUE", issue(r)), money.USD(0)
		return llm.Response{Text: text, Finish: llm.FinishStop, Cost: &free, Model: name,
			Usage: llm.Usage{InputTokens: llm.EstimateTokens(size), OutputTokens: llm.EstimateTokens(len(text))}}, nil
	}
	return llm.Handle{Name: name, Model: llm.Func(play), Price: llm.NotBilled(), Local: true, Scripted: true}
}

// issueIn is the issue in a policy's prompt, as a Python string: what stands between <issue> and </issue>, "" where nothing does.
func issueIn(r llm.Request) string {
	text := r.System
	for _, m := range r.Messages {
		text += m.Content
	}
	_, text, _ = strings.Cut(text, "<issue>")
	text, _, found := strings.Cut(text, "</issue>")
	if !found {
		text = ""
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string
	}
	return strings.ReplaceAll(string(quoted), "`", `\u0060`) // a fence would end the cell
}
