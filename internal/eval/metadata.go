package eval

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/stats"
)

// metadata is metadata.json as verifiers saves it. time is 0.3's, time_ms 0.1's. Means leave rollouts out that ended in
// an error, which verifiers counts with reward 0; avg_error says how many there were.
type metadata struct {
	EnvID         string           `json:"env_id"`
	EnvArgs       envArgs          `json:"env_args"`
	Model         string           `json:"model"`
	BaseURL       string           `json:"base_url"`
	Examples      int              `json:"num_examples"`
	Rollouts      int              `json:"rollouts_per_example"`
	Shuffle       bool             `json:"shuffle"`
	ShuffleSeed   *int64           `json:"shuffle_seed"`
	Sampling      sampling         `json:"sampling_args"`
	Time          float            `json:"time"`
	TimeMS        float            `json:"time_ms"`
	AvgReward     float            `json:"avg_reward"`
	AvgMetrics    map[string]float `json:"avg_metrics"`
	AvgError      float            `json:"avg_error"`
	PassAtK       map[string]float `json:"pass_at_k"`
	PassAllK      map[string]float `json:"pass_all_k"`
	PassThreshold float            `json:"pass_threshold"`
	Usage         *tokenUsage      `json:"usage"`
	Cost          *evalCost        `json:"cost,omitempty"`
	VersionInfo   versionInfo      `json:"version_info"`
	StateColumns  []string         `json:"state_columns"`
	Tools         *struct{}        `json:"tools"`
}

// envArgs are what selects the tasks, and what else decides the rows.
type envArgs struct {
	Split      string `json:"split,omitempty"`
	Seed       int64  `json:"seed"`
	Language   string `json:"language,omitempty"`
	Difficulty string `json:"difficulty,omitempty"`
	Files      int    `json:"files,omitempty"`
	Worker     string `json:"worker,omitempty"`
	Strategy   string `json:"strategy,omitempty"`
	MaxTurns   int    `json:"max_turns,omitempty"`
}

func (o Options) envArgs() envArgs {
	return envArgs{o.Split, o.Seed, o.Language, o.Difficulty, o.Files, o.Worker, o.Strategy, o.MaxTurns}
}

type sampling struct {
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   int      `json:"max_tokens,omitempty"`
}

type evalCost struct {
	Total float `json:"total_usd"`
}

type versionInfo struct {
	Verifiers  string  `json:"vf_version"` // whose form the files have
	VfCommit   *string `json:"vf_commit"`
	EnvVersion string  `json:"env_version"`
	EnvCommit  *string `json:"env_commit"`
}

// passThreshold is the reward from which verifiers takes a rollout as passed.
const passThreshold = 0.5

// priorSeconds is the time that earlier executions took.
func priorSeconds(d *rundir.Dir) float64 {
	var m struct {
		Time float64 `json:"time"`
	}
	data, err := d.Root().ReadFile(MetadataName)
	if err != nil || json.Unmarshal(data, &m) != nil {
		return 0
	}
	return m.Time
}

func (e *evaluation) writeMetadata(before float64) error {
	seconds := before + e.c.Now().Sub(e.started).Seconds()
	r := e.results
	m := metadata{
		EnvID: e.c.Environment.Name(), EnvArgs: e.o.envArgs(), Model: e.o.Model, BaseURL: e.c.Provider, Examples: e.o.Examples,
		Rollouts: e.o.Rollouts, Sampling: sampling{e.o.Temperature, e.o.MaxTokens}, Time: float(seconds), TimeMS: float(1000 * seconds),
		AvgMetrics: map[string]float{}, PassThreshold: passThreshold,
		VersionInfo:  versionInfo{Verifiers: "0.3.0", EnvVersion: e.c.Version},
		StateColumns: stateColumns,
	}
	rewards := r.rewards()
	if len(rewards) > 0 {
		m.AvgReward = float(stats.Mean(rewards))
	}
	if n := len(r.records); n > 0 {
		m.AvgError = float(n-len(rewards)) / float(n)
	}
	for _, name := range r.Metrics() {
		if values := r.values(name); len(values) > 0 {
			m.AvgMetrics[name] = float(stats.Mean(values))
		}
	}
	m.PassAtK, m.PassAllK = passAt(r, e.o.Rollouts)
	var input, output []float64
	cost := new(llm.USD)
	for i := range r.records {
		input, output = append(input, r.records[i].Input), append(output, r.records[i].Output)
		if c := r.records[i].Cost; c == nil {
			cost = nil
		} else if cost != nil {
			*cost += *c
		}
	}
	if len(input) > 0 {
		m.Usage = &tokenUsage{float(stats.Mean(input)), float(stats.Mean(output))}
	}
	if cost != nil && len(r.records) > 0 {
		m.Cost = &evalCost{float(cost.Float64())}
	}
	return e.dir.Write(MetadataName, func(w io.Writer) error { return json.NewEncoder(w).Encode(m) })
}

// passAt are pass@k and pass^k for the powers of two up to the rollouts, over examples that were played in full, as
// verifiers counts them. Both are empty for one rollout per example.
func passAt(r *Results, rollouts int) (at, all map[string]float) {
	at, all = map[string]float{}, map[string]float{}
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
			at[strconv.Itoa(k)], all[strconv.Itoa(k)] = float(sumAt/float64(complete)), float(sumAll/float64(complete))
		}
	}
	return at, all
}
