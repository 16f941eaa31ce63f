// Package offline is the root model that needs no network: a script that writes ordinary cells into the same loop, the
// same sandbox and the same journal as a language model would. Its strategy is the plain one that has worked best: put
// every line in front of a worker in one batch, ask again for what failed or was missed, report.
//
// It says that it is a script: it does not read code, it does not adapt, and it never sees what it did not print. The
// workers' replies make the report. With the offline/rules worker no language model takes part at all.
//
// Beside this orchestrator there is the localiser, which hands in where an issue belongs and asks nobody.
package offline

import (
	"context"
	_ "embed"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// Name is the orchestrator's model name.
const Name = "offline/orchestrator"

//go:embed read.py
var readCell string

//go:embed again.py
var againCell string

//go:embed report.py
var reportCell string

// Handle returns the orchestrator as a model: free, local, without tool calls.
func Handle() llm.Handle {
	return llm.Handle{Name: Name, Model: llm.Func(complete), Price: llm.NotBilled(), Local: true, Scripted: true}
}

// complete answers by where the conversation stands: the first turn reads, the second fills the gaps, the third
// reports. An answer that was held back is handed in again after another look at the gaps. In the last turn everything
// that is still to be done is done at once.
func complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	turns, last := standing(r.Messages)
	var cells []string
	final := strings.Contains(last, "FINAL TURN")
	// A read that did not come to its end (a limit, a full memory) is tried once more.
	if turns == 0 || turns == 1 && strings.Contains(last, "The cell was stopped") {
		cells = append(cells, readCell)
	}
	if turns == 1 || turns > 2 || final {
		cells = append(cells, againCell)
	}
	if turns >= 2 || final {
		cells = append(cells, reportCell)
	}
	return reply(Name, cells...), nil
}

// standing is how many turns a conversation had, and what it said last.
func standing(messages []llm.Message) (turns int, last string) {
	for _, m := range messages {
		if m.Role == llm.RoleAssistant {
			turns++
		} else {
			last = m.Content
		}
	}
	return turns, last
}

// reply is a free reply of cells.
func reply(model string, cells ...string) llm.Response {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString("```python\n" + strings.TrimRight(c, "\n") + "\n```\n\n")
	}
	return llm.Response{Text: b.String(), Finish: llm.FinishStop, Cost: new(money.USD), Model: model}
}
