package orchestration

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// SimName is the simulated worker's model name.
const SimName = "sim/reader"

// sim is a worker that knows the truth and tells it as a language model would: it finds a defect only when the code
// stands in its prompt, less surely the longer the prompt is and the more files it mixes, a defect between two files
// only when it has the place in the other one before it too; sometimes it takes a decoy for a defect, or quotes code
// that is not there.
//
// Its luck is drawn from the seed, the defect and, for a small part, the prompt: the same prompt always gets the same
// reply, and no reply depends on another.
type sim struct {
	task   env.Task
	ledger *coverage.Ledger // only asked what a prompt holds
	seed   int64
	rules  Rules
	others map[int][]reliance // by cross-file defect: the places one of which is needed beside its own
}

// How the simulated worker reads. The numbers are a model of the field's experience (long, mixed prompts are read
// worse), not a measurement of any one language model.
const (
	simSure      = 0.99   // chance to see a defect in a short prompt about one file
	simShort     = 12_000 // bytes up to which a prompt is short
	simHalf      = 24_000 // bytes beyond that which halve the chance
	simMix       = 0.985  // factor for every further file
	simAlone     = 0.05   // chance to see a cross-file defect without the place in its other file
	simMoody     = 0.1    // share of its luck, as an exponent, that depends on the wording of a prompt
	simFooled    = 0.08   // share of decoys that can fool it in a short prompt, in version 2; the same ones every time
	simFooledBy  = 0.5    // share of such decoys that do in one prompt
	simDecoyLong = 0.40   // share of all decoys that fool it in an endless prompt
	simInvent    = 0.02   // chance to invent a quotation, by prompt
)

func newSim(task env.Task, ledger *coverage.Ledger, seed int64, rules Rules) *sim {
	s := &sim{task: task, ledger: ledger, seed: seed, rules: rules, others: map[int][]reliance{}}
	for i, d := range task.Defects {
		if d.CrossFile {
			s.others[i] = relies(task, d)
		}
	}
	return s
}

// Sim is the simulated worker of a task under the current rules, for reviews that are played outside of a rollout. It knows
// the task's truth.
func Sim(task env.Task, seed int64) llm.Handle {
	return newSim(task, coverage.New(task.Codebase), seed, Current()).handle()
}

// handle is the worker as a model: free and local.
func (s *sim) handle() llm.Handle {
	return llm.Handle{Name: SimName, Model: llm.Func(s.complete), Price: llm.NotBilled(), Local: true, Schema: true, PromptChars: 48_000}
}

// claimed is one element of the reply, in the shape of finding.Schema.
type claimed struct {
	File        string  `json:"file"`
	Line        int     `json:"line"`
	EndLine     int     `json:"end_line"`
	Severity    string  `json:"severity"`
	Category    string  `json:"category"`
	CWE         string  `json:"cwe"`
	Title       string  `json:"title"`
	Evidence    string  `json:"evidence"`
	Explanation string  `json:"explanation"`
	Suggestion  string  `json:"suggestion"`
	Confidence  float64 `json:"confidence"`
}

func (s *sim) complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	prompt, size := "", len(r.System)
	for _, m := range r.Messages {
		size += len(m.Content)
		if m.Role == llm.RoleUser {
			prompt = m.Content
		}
	}
	text, err := s.reply(r, prompt)
	if err != nil {
		return llm.Response{}, fmt.Errorf("write the reply: %w", err)
	}
	return llm.Response{
		Text: text, Finish: llm.FinishStop, Cost: new(money.USD), Model: SimName,
		Usage: llm.Usage{InputTokens: llm.EstimateTokens(size), OutputTokens: llm.EstimateTokens(len(text))},
	}, nil
}

// reply is what the worker answers: what it is asked for, by the form that the reply must have. Where the rules know of
// reviews only, everything is one.
func (s *sim) reply(r llm.Request, prompt string) (string, error) {
	var said any
	switch {
	case s.rules.Judging && r.Schema == nil && !strings.Contains(r.System, string(finding.Schema())): // which one call is told
		return s.answer(prompt), nil
	case s.rules.Judging && r.Schema != nil && r.Schema.Name == verdictName:
		said = s.judge(prompt)
	default:
		said = s.read(prompt)
	}
	text, err := json.Marshal(said)
	return string(text), err
}

type answer struct {
	Summary  string    `json:"summary"`
	Findings []claimed `json:"findings"`
}

// read is a review of the code in a prompt.
func (s *sim) read(prompt string) answer {
	names, defects, decoys := s.notices(prompt)
	out := answer{Summary: fmt.Sprintf("%d files: %s.", len(names), strings.Join(names, ", ")), Findings: []claimed{}}
	if len(names) == 0 {
		out.Summary = "The prompt holds no code of this codebase."
		return out
	}
	for _, d := range defects {
		out.Findings = append(out.Findings, s.claimOf(prompt, d))
	}
	for _, d := range decoys {
		out.Findings = append(out.Findings, s.mistake(d))
	}
	if s.luck(prompt, "invents", "", 0) < simInvent {
		out.Findings = append(out.Findings, claimed{File: names[0], Line: 1, EndLine: 1, Severity: "low", Category: "logic",
			Title: "Result is not checked", Evidence: "result = process(data, retries)", Explanation: "The result may be stale.", Confidence: 0.4})
	}
	return out
}

// notices is what the worker sees in a prompt: the files, the defects that it finds, the decoys that fool it.
func (s *sim) notices(prompt string) (names []string, defects []env.Defect, decoys []env.Decoy) {
	lines, half := map[string][][2]int{}, map[string]bool{}
	for _, f := range s.ledger.Held(prompt) {
		lines[f.Path], half[f.Path] = f.DispatchedRanges, 2*f.Dispatched >= f.Lines
		names = append(names, f.Path)
	}
	if len(names) == 0 {
		return nil, nil, nil
	}
	long := 1 - math.Pow(0.5, float64(max(0, len(prompt)-simShort))/simHalf) // 0: short, 1: endless
	focus := (1 - long) * math.Pow(simMix, float64(len(names)-1))
	for i, d := range s.task.Defects {
		if !holds(lines[d.File], d.Line, d.EndLine) {
			continue
		}
		chance := simSure * focus
		if others := s.others[i]; len(others) > 0 && !meets(others, lines, half) {
			chance = min(chance, simAlone)
		}
		if s.sees(prompt, d, chance) {
			defects = append(defects, d)
		}
	}
	for _, d := range s.task.Decoys {
		chance := simDecoyLong * long
		if s.luck("", "fooled", d.File, d.Line) < s.rules.fooled() {
			chance = max(chance, simFooledBy)
		}
		if holds(lines[d.File], d.Line, d.EndLine) && s.luck(prompt, "decoy", d.File, d.Line) < chance {
			decoys = append(decoys, d)
		}
	}
	return names, defects, decoys
}

// sees draws whether the worker sees a defect. Most of its luck is the defect's own, whatever is asked: what it overlooked
// in a long prompt it overlooks again in the same code with other words around it, and reads only when it gets it in a
// shorter one. Were every prompt a new draw, a heap sent three times with a counter would do for reading.
func (s *sim) sees(prompt string, d env.Defect, chance float64) bool {
	return s.luck("", "hard", d.File, d.Line) < math.Pow(chance, 1-simMoody) &&
		s.luck(prompt, "sees", d.File, d.Line) < math.Pow(chance, simMoody)
}

// claimOf is how the worker words a defect that it saw: now and then it is off by a line, or by a step of severity.
func (s *sim) claimOf(prompt string, d env.Defect) claimed {
	c := s.quote(d, 0.9)
	if s.rules.Plausible {
		c.Confidence = simSurest - simSpread*s.luck("", "sure", d.File, d.Line)
	}
	if s.luck(prompt, "line", d.File, d.Line) < 0.1 {
		c.Line++
		c.EndLine++
	}
	if s.luck(prompt, "severity", d.File, d.Line) < 0.1 {
		c.Severity = "medium"
	}
	return c
}

// quote makes a claim whose evidence is the first line of the place that is not blank.
func (s *sim) quote(d env.Defect, confidence float64) claimed {
	text, _ := s.task.Codebase.Text(d.File)
	quoted, _ := finding.Quote(text, d.Line, d.EndLine)
	evidence := ""
	for line := range strings.Lines(quoted) {
		if evidence = strings.TrimSpace(line); evidence != "" {
			break
		}
	}
	title, _, _ := strings.Cut(d.Description, ". ")
	return claimed{File: d.File, Line: d.Line, EndLine: d.EndLine, Severity: d.Severity, Category: d.Category, CWE: d.CWE, Title: title,
		Evidence: evidence, Explanation: d.Description, Suggestion: "Restore the intended behaviour.", Confidence: confidence}
}

// luck is a number in [0, 1) for one question about one place in one prompt.
func (s *sim) luck(prompt, question, file string, line int) float64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00%d\x00%s", s.seed, question, file, line, prompt)
	x := h.Sum64()
	x ^= x >> 33 // FNV's high bits mix badly: this is the finisher of MurmurHash3
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}

// holds says whether ranges contain all of the lines from first to last.
func holds(ranges [][2]int, first, last int) bool {
	return slices.ContainsFunc(ranges, func(r [2]int) bool { return r[0] <= first && last <= r[1] })
}

// meets says whether a prompt holds one of the places.
func meets(places []reliance, lines map[string][][2]int, half map[string]bool) bool {
	for _, p := range places {
		if len(p.lines) == 0 && half[p.file] {
			return true
		}
		if slices.ContainsFunc(p.lines, func(n int) bool { return holds(lines[p.file], n, n) }) {
			return true
		}
	}
	return false
}
