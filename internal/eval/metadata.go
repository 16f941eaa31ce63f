package eval

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/stats"
)

func (o Options) envArgs(rules int) runfile.EvalArgs {
	return runfile.EvalArgs{Split: o.Split, Seed: o.Seed, Language: o.Language, Difficulty: o.Difficulty, Files: o.Files, Worker: o.Worker,
		Strategy: o.Strategy, MaxTurns: o.MaxTurns, Rules: rules}
}

// passThreshold is the reward from which verifiers takes a rollout as passed.
const passThreshold = 0.5

// priorSeconds is the time that earlier executions took.
func priorSeconds(d *rundir.Dir) float64 {
	var m struct {
		Time float64 `json:"time"`
	}
	data, err := bounded.ReadFileIn(d.Root(), MetadataName, maxMetadata)
	if err != nil || json.Unmarshal(data, &m) != nil {
		return 0
	}
	return m.Time
}

func (e *evaluation) writeMetadata(before float64) error {
	seconds := before + e.c.Now().Sub(e.started).Seconds()
	r := e.results
	m := runfile.EvalMetadata{
		EnvID: e.c.Environment.Name(), EnvArgs: e.o.envArgs(e.c.Environment.About().Version), Model: e.o.Model, BaseURL: e.c.Provider,
		Examples: e.o.Examples, Rollouts: e.o.Rollouts, Sampling: runfile.EvalSampling{Temperature: e.o.Temperature, MaxTokens: e.o.MaxTokens},
		Time: runfile.Float(seconds), TimeMS: runfile.Float(1000 * seconds),
		AvgMetrics: map[string]runfile.Float{}, PassThreshold: passThreshold,
		VersionInfo:  runfile.EvalVersion{Verifiers: "0.3.0", EnvVersion: e.c.Version},
		StateColumns: stateColumns,
	}
	rewards := r.rewards()
	if len(rewards) > 0 {
		m.AvgReward = runfile.Float(stats.Mean(rewards))
	}
	if n := len(r.records); n > 0 {
		m.AvgError = runfile.Float(n-len(rewards)) / runfile.Float(n)
	}
	for _, name := range r.Metrics() {
		if values := r.values(name); len(values) > 0 {
			m.AvgMetrics[name] = runfile.Float(stats.Mean(values))
		}
	}
	m.PassAtK, m.PassAllK = passAt(r, e.o.Rollouts)
	var input, output []float64
	cost := new(money.USD)
	for i := range r.records {
		input, output = append(input, r.records[i].Input), append(output, r.records[i].Output)
		cost = money.Plus(cost, r.records[i].Cost)
	}
	if len(input) > 0 {
		m.Usage = &runfile.EvalTokens{Input: runfile.Float(stats.Mean(input)), Output: runfile.Float(stats.Mean(output))}
	}
	if cost != nil && len(r.records) > 0 {
		m.Cost = &runfile.EvalCost{Total: runfile.Float(cost.Float64())}
	}
	return e.dir.Write(MetadataName, func(w io.Writer) error { return json.NewEncoder(w).Encode(m) })
}

// passAt are pass@k and pass^k for the powers of two up to the rollouts, over examples that were played in full, as
// verifiers counts them. Both are empty for one rollout per example.
func passAt(r *Results, rollouts int) (at, all map[string]runfile.Float) {
	at, all = map[string]runfile.Float{}, map[string]runfile.Float{}
	for k := 1; rollouts > 1 && k <= rollouts; k *= 2 {
		var sumAt, sumAll float64
		complete := 0
		for _, group := range r.byExample() {
			passed, counted := 0, 0
			for i := range group {
				if group[i].OK() {
					counted++
					passed += int(indicator(group[i].Reward >= passThreshold))
				}
			}
			if counted < rollouts {
				continue
			}
			a, errA := stats.PassAtK(counted, passed, k)
			b, errB := stats.PassAllK(counted, passed, k)
			if errA == nil && errB == nil {
				sumAt, sumAll, complete = sumAt+a, sumAll+b, complete+1
			}
		}
		if complete > 0 {
			at[strconv.Itoa(k)], all[strconv.Itoa(k)] = runfile.Float(sumAt/float64(complete)), runfile.Float(sumAll/float64(complete))
		}
	}
	return at, all
}
