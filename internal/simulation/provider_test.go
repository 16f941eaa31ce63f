package simulation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// charge is what one call to the provider came to, in the provider's own book.
type charge struct {
	began   int64  // size of the journal when the call came in
	hash    string // of the request; for a root the number of its turn within its task
	role    string // root or worker
	cost    money.USD
	over    money.USD // the part of cost that the request cannot cost by price and limits
	told    bool      // the program was told the cost
	prompt  string
	verdict bool // a second opinion was asked for, no reading
	usable  bool // the reply is an answer
	replied bool
	text    string // of the reply
	fault   fault
}

// provider is the service that a run's models are bought from.
type provider struct {
	s      scenario
	code   *codebase.Codebase
	trace  string // the running run's journal
	cancel func() // ends the run at the call of that number
	at     int
	kills  int // as in scenario

	mu    sync.Mutex
	calls int
	asked map[string]int
	book  []charge
}

// Open gives a model; nothing is sent to this machine's own.
func (p *provider) Open(model string) (llm.Handle, error) {
	h := llm.Handle{Name: "paid/" + model, Price: p.s.price, Context: 100_000, Schema: p.s.schema}
	h.Model = llm.WithPrice(llm.Func(func(ctx context.Context, r llm.Request) (llm.Response, error) {
		return p.complete(ctx, model, r)
	}), p.s.price)
	return h, nil
}

func (p *provider) Status(context.Context) llm.Status {
	return llm.Status{Provider: "paid", Configured: true}
}

// complete serves one request.
func (p *provider) complete(ctx context.Context, model string, r llm.Request) (llm.Response, error) {
	began := int64(0)
	if info, err := os.Stat(p.trace); err == nil {
		began = info.Size()
	}
	if ctx.Err() != nil {
		return llm.Response{}, &llm.Error{Kind: llm.KindCanceled, Message: ctx.Err().Error(), Err: ctx.Err(), Cost: new(money.USD)}
	}
	c := charge{began: began, role: model, hash: r.Hash("paid/" + model), told: true, prompt: r.Messages[len(r.Messages)-1].Content,
		verdict: r.Schema != nil && r.Schema.Name == "verdict"}
	if model == "root" {
		c.hash = rootKey(r)
	}
	p.mu.Lock()
	p.calls++
	if p.cancel != nil && p.calls == p.at {
		p.cancel()
	}
	if p.kills > 0 && p.calls%p.kills == 0 {
		killChildren()
	}
	nth := p.asked[c.hash]
	p.asked[c.hash]++
	p.mu.Unlock()
	if p.s.sticky {
		nth = 0
	}
	d := dice(p.s.seed, model, c.hash, fmt.Sprint(nth))
	f := none
	if model == "worker" || d.IntN(100) < p.s.rootBad {
		f = p.s.faults[d.IntN(len(p.s.faults))]
	}
	resp, err := p.answer(ctx, f, r, &c)
	if f == panics {
		c.told, c.usable, c.replied = false, false, false
	}
	c.text, c.fault = resp.Text, f
	p.mu.Lock()
	p.book = append(p.book, c)
	p.mu.Unlock()
	if f == panics {
		panic(fmt.Sprintf("seed %d: the client of a provider has a defect", p.s.seed))
	}
	return resp, err
}

// answer replies, and fills in the book.
func (p *provider) answer(ctx context.Context, f fault, r llm.Request, c *charge) (llm.Response, error) {
	d := dice(p.s.seed, "billed", c.hash)
	honest := llm.Usage{InputTokens: inputTokens(r), OutputTokens: 20}
	if p.s.long {
		honest.OutputTokens = int64(r.MaxTokens)
	}
	if e, maybe := f.failure(); e != nil {
		c.told = !maybe
		if maybe && d.IntN(2) == 0 {
			c.cost = p.s.price.Cost(honest)
			if d.IntN(2) == 0 {
				e.Usage, c.told = honest, true // the provider says what it charged for nothing
			}
		}
		return llm.Response{}, e
	}
	resp := llm.Response{Finish: llm.FinishStop, Usage: honest, Model: "paid"}
	usable := true
	switch {
	case c.role == "root" && strings.HasPrefix(c.hash, "synthesis"):
		resp.Text = "# Report of what there is\n\n" + markup + escape
	case c.role == "root" && p.s.options.Strategy == "single":
		resp.Text = "# Report\n\n" + markup + "\n\n```json\n" + p.findings(c.prompt) + "\n```\n"
	case c.role == "root":
		resp.Text = p.s.cells[min(turnOf(r), len(p.s.cells))-1]
		if strings.Contains(r.Messages[0].Content, "TASK ") {
			resp.Text = "```python\nset_answer('the child is done " + markup + "')\n```"
		}
	case r.Schema != nil && r.Schema.Name == "verdict":
		resp.Text = fmt.Sprintf(`{"file":"","line":1,"quote":"","reason":%q,"verdict":%q}`, markup, pick(d, "stands", "refuted", "unsure"))
	case r.Schema == nil:
		resp.Text = "It is used in line 1. " + markup + " " + p.findings(c.prompt)
	default:
		resp.Text = p.findings(c.prompt)
	}
	whole := resp.Text
	switch f {
	case nothingFound:
		resp.Text = `{"summary": "Nothing to see. ` + markup + `", "findings": []}`
	case slow:
		select {
		case <-time.After(second):
		case <-ctx.Done():
			c.cost, c.told = p.s.price.Cost(honest), false
			return llm.Response{}, &llm.Error{Kind: llm.KindCanceled, Message: "given up", Err: ctx.Err()}
		}
	case cutReply, cutAtLimit:
		resp.Text, usable = `{"summary": "reads", "findings": [{"file": "pkg0/mod00.py", "line": 1, "title": "a b`, false
		if f == cutAtLimit {
			resp.Finish, resp.Text = llm.FinishLength, whole[:len(whole)/2]
		}
	case wholeAtLimit:
		resp.Finish = llm.FinishLength
	case refusesInProse:
		resp.Text, usable = "I'm sorry, but I can't help with that. "+markup, false
	case refusesInJSON:
		resp.Text, usable = `{"summary": "I cannot assist with reviewing this code.", "findings": []}`, false
	case filteredReply:
		resp.Text, resp.Finish, usable = "", llm.FinishFilter, false
	case emptyReply:
		resp.Text, usable = "", false
	case wrongJSON:
		usable = false
		resp.Text = pick(d, `{"error": "internal"}`, `[[[[[[`, `null`, `{"findings": "none"}`, strings.Repeat("[", 50_000), `{"a":`+escape+`}`)
	case prose:
		resp.Text, usable = "lorem ipsum "+markup+escape, !p.s.schema
	case absurdUsage:
		resp.Usage = llm.Usage{InputTokens: 1e15, OutputTokens: 1e15, CachedTokens: 1e17}
	case negativeUsage:
		resp.Usage, c.told = llm.Usage{InputTokens: -5, OutputTokens: -1e15, CachedTokens: -7}, false
	case noUsage:
		resp.Usage, c.told = llm.Usage{}, false
	case overcharge:
		resp.Cost = new(money.USD(50) * p.s.price.Cost(honest))
	}
	c.cost = p.s.price.Cost(honest)
	switch f {
	case absurdUsage:
		resp.Cost = new(p.s.price.Cost(resp.Usage))
		c.cost = *resp.Cost
	case overcharge:
		c.cost = *resp.Cost
	}
	c.over = max(0, c.cost-p.s.price.Cost(honest))
	c.replied = true
	switch {
	case r.Schema != nil:
		c.usable = usable && r.Schema.Name == "review"
	case c.role == "worker": // a question: whatever is said to its end is an answer, and findings in it are none
		c.usable = resp.Text != "" && resp.Finish == llm.FinishStop && f != refusesInProse && f != refusesInJSON
	}
	return resp, nil
}

// findings reports every line that says BUG in the files that a prompt holds.
func (p *provider) findings(prompt string) string {
	type claim struct {
		File        string `json:"file"`
		Line        int    `json:"line"`
		Title       string `json:"title"`
		Severity    string `json:"severity"`
		Category    string `json:"category"`
		Evidence    string `json:"evidence"`
		Explanation string `json:"explanation"`
	}
	found := []claim{}
	for _, path := range p.code.Paths() {
		text, _ := p.code.Text(path)
		if text == "" || !strings.Contains(prompt, text) && !strings.Contains(prompt, packed(path, text)) {
			continue
		}
		for i, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "BUG") {
				found = append(found, claim{path, i + 1, "a bug " + markup + escape, "high", "logic", line,
					markup + " [x](javascript:alert(1)) " + escape})
			}
		}
	}
	data, err := json.Marshal(map[string]any{"summary": "read " + markup, "findings": found})
	if err != nil {
		panic(err)
	}
	return string(data)
}

// inputTokens is what this provider bills for a request.
func inputTokens(r llm.Request) int64 {
	n := len(r.System)/4 + 10
	for _, m := range r.Messages {
		n += len(m.Content)/4 + 2
	}
	return int64(n)
}

// turnOf is the turn that a root's request says it is, 1 where it says nothing.
func turnOf(r llm.Request) int {
	last := r.Messages[len(r.Messages)-1].Content
	i := strings.LastIndex(last, "[Turn ")
	if i < 0 {
		return 1
	}
	turn, _, _ := strings.Cut(last[i+len("[Turn "):], "/")
	n, err := strconv.Atoi(turn)
	if err != nil {
		return 1
	}
	return n
}

// rootKey names a root's request as the journal's keys do, or as what begins with its task for a child's.
func rootKey(r llm.Request) string {
	if strings.HasPrefix(r.System, "You write the final report of a review") {
		return fmt.Sprintf("synthesis %s", r.Hash("root")[:8])
	}
	task := ""
	if _, rest, child := strings.Cut(r.Messages[0].Content, "TASK "); child {
		task, _, _ = strings.Cut(rest, "\n")
	}
	return fmt.Sprintf("%st%03d", task, turnOf(r))
}
