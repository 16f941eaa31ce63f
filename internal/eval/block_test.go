package eval

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/savedrow"
	"github.com/google/go-cmp/cmp"
)

// The two blocks that the reference's results print, as they stand there.
const untrainedBlock = `Environment: deeprepo-orchestration
Model: Qwen/Qwen3-30B-A3B-Instruct-2507
Provider: https://api.pinference.ai/api/v1
Examples: 3
Rollouts per example: 2

Rewards:
reward: avg - 0.785, std - 0.100
r1: [0.636, 0.9, 0.85]
r2: [0.887, 0.7, 0.738]
delegation_reward: avg - 0.785, std - 0.100
r1: [0.636, 0.9, 0.85]
r2: [0.887, 0.7, 0.738]
num_turns: avg - 8.667, std - 4.422
r1: [18.0, 5.0, 5.0]
r2: [7.0, 9.0, 8.0]
Info:
is_truncated: avg - 0.000, std - 0.000
stop_conditions: episode_done: 1.000
Timing:
generation: min - 20s, mean - 34s, max - 1m
Usage:
input_tokens (avg): 14598.500
output_tokens (avg): 2200.333
`

const trainedBlock = `Environment: deeprepo-orchestration
Model: Qwen/Qwen3-30B-A3B-Instruct-2507:t2nj7mvwh0qs5h1szlfekqoh
Provider: https://api.pinference.ai/api/v1
Examples: 3
Rollouts per example: 2

Rewards:
reward: avg - 0.987, std - 0.018
r1: [0.962, 1.0, 1.0]
r2: [0.962, 1.0, 1.0]
delegation_reward: avg - 0.987, std - 0.018
r1: [0.962, 1.0, 1.0]
r2: [0.962, 1.0, 1.0]
num_turns: avg - 6.000, std - 0.000
r1: [6.0, 6.0, 6.0]
r2: [6.0, 6.0, 6.0]
Info:
is_truncated: avg - 0.000, std - 0.000
stop_conditions: episode_done: 1.000
Timing:
generation: min - 31s, mean - 35s, max - 39s
Usage:
input_tokens (avg): 8585.167
output_tokens (avg): 2382.333
`

// decoded is a rollout of the reference results: what its reward is made of (files dispatched and in all, findings
// matched and in all, the turns' efficiency), the turns that verifiers counted, seconds and tokens. Rewards and turns
// follow from the printed numbers; seconds and tokens are any that have the printed means and ends.
type decoded struct {
	example, rollout        int
	files, of, found, truth float64
	efficiency, turns       float64
	seconds, input, output  float64
}

func (d decoded) reward() float64 {
	return 0.5*(d.files/d.of) + 0.3*(d.found/d.truth) + 0.2*d.efficiency
}

func untrained() []decoded {
	return []decoded{
		{0, 0, 6, 7, 5, 8, 0.1, 18, 60.2, 40000, 4000},
		{0, 1, 7, 7, 5, 8, 1, 7, 33.3, 12000, 2000},
		{1, 0, 7, 7, 4, 6, 1, 5, 20.1, 7000, 1500},
		{1, 1, 7, 7, 0, 6, 1, 9, 34.4, 12500, 2500},
		{2, 0, 6, 6, 4, 8, 1, 5, 24, 7091, 1400},
		{2, 1, 6, 6, 1, 8, 1, 8, 32, 9000, 1802},
	}
}

func trained() []decoded {
	all := make([]decoded, 6)
	for i := range all {
		d := decoded{i / 2, i % 2, 6, 6, 8, 8, 1, 6, []float64{31, 35, 39, 34.6, 36, 34.5}[i], 8585, 2382}
		if i < 2 { // the todo task
			d.found = 7
		}
		all[i] = d
	}
	all[5].input, all[5].output = 8586, 2384
	return all
}

// rows are the rollouts as saved rows, in an order that is not that of the examples: what is printed comes out of a file.
func rows(t *testing.T, all []decoded) string {
	t.Helper()
	var b strings.Builder
	for _, i := range []int{4, 1, 0, 5, 3, 2} {
		d := all[i]
		r := runfile.EvalRow{ExampleID: d.example, Rollout: d.rollout, Task: "default", Reward: runfile.Float(d.reward()), IsCompleted: true,
			StopCondition: "episode_done",
			Metrics:       finite(map[string]float64{"delegation_reward": d.reward(), "num_turns": d.turns}),
			Timing:        newTiming(0, runfile.Float(d.seconds), 0.01),
			TokenUsage:    &runfile.EvalTokens{Input: runfile.Float(d.input), Output: runfile.Float(d.output)}}
		text, err := encodeRow(r)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	return b.String()
}

func TestBlockIsThatOfTheReferenceResults(t *testing.T) {
	tests := []struct {
		name, want string
		model      string
		rollouts   []decoded
	}{
		{"untrained", untrainedBlock, "Qwen/Qwen3-30B-A3B-Instruct-2507", untrained()},
		{"trained", trainedBlock, "Qwen/Qwen3-30B-A3B-Instruct-2507:t2nj7mvwh0qs5h1szlfekqoh", trained()},
	}
	document, err := os.ReadFile("../../../shared/reference/rl_training_eval_results.md")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r Results
			if torn, err := r.read(strings.NewReader(rows(t, tt.rollouts)), ResultsName); err != nil || torn {
				t.Fatal(torn, err)
			}
			h := Header{Environment: "deeprepo-orchestration", Model: tt.model, Provider: "https://api.pinference.ai/api/v1", Examples: 3,
				Rollouts: 2, RewardName: r.rewardName()}
			var got bytes.Buffer
			if err := WriteBlock(&got, h, &r); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.String()); diff != "" {
				t.Errorf("(-reference +ours):\n%s", diff)
			}
			if document == nil {
				t.Skip("the reference document is not here: compared with its copy in this test only")
			}
			if !bytes.Contains(document, []byte("```\n"+got.String()+"```\n")) {
				t.Error("the block is not in the reference document")
			}
		})
	}
}

func TestPrintTime(t *testing.T) {
	for s, want := range map[float64]string{
		0: "0ms", 0.0004: "0ms", 0.25: "250ms", 0.9999: "1000ms", 1: "1s", 2.5: "2s", 3.5: "4s", 59.4: "59s", 59.9: "60s", 60: "1m", 60.9: "1m",
		61: "1m 1s", 3599: "59m 59s", 3600: "1h", 3660: "1h 1m", 86399: "23h 59m", 86400: "1d", 90000: "1d 1h", 1e6: "11d 13h",
	} {
		if got := printTime(s); got != want {
			t.Errorf("printTime(%v) = %q, want %q", s, got, want)
		}
	}
}

func TestNamesCannotReachTheTerminal(t *testing.T) {
	var r Results
	r.add(savedrow.Row{Stop: "a\x1b[2Jb", Error: "E\nrror\u202e", Generation: math.NaN(), Input: math.NaN()})
	var b bytes.Buffer
	if err := errors.Join(WriteBlock(&b, Header{Model: "m\r\x07", Environment: "\u200b"}, &r), WriteDetail(&b, summarize(&r))); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\r\x07\u202e\u200b") {
		t.Errorf("%q", b.String())
	}
}
