package policy_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/env/orchestration"
	"github.com/deeprepo/deeprepo/internal/env/policy"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

const mini = "../../../../shared/data/orchestration/mini.json"

func options(t *testing.T) catalog.Options {
	t.Helper()
	return catalog.Options{Parser: runtest.OpenParser}
}

// TestSamples plays every policy where its samples say what it earns: this is the audit of both rewards.
func TestSamples(t *testing.T) {
	o := options(t)
	for _, name := range []string{orchestration.Name, catalog.V1} {
		for _, split := range []string{env.Train, env.Heldout} {
			if name == catalog.V1 && split == env.Heldout {
				continue // it has none
			}
			t.Run(name+"/"+split, func(t *testing.T) {
				e, err := catalog.Open(context.Background(), name, o)
				if err != nil {
					t.Fatal(err)
				}
				rows, err := policy.Audit(context.Background(), e, policy.AuditConfig{Selection: env.Selection{Split: split}, Tasks: 4,
					Sandbox: engine})
				if err != nil {
					t.Fatal(err)
				}
				played, honest := 0, 0.0
				for i, p := range policy.For(name) {
					if p.Kind == policy.Honest {
						honest = max(honest, rows[i].Mean)
					}
				}
				for i, p := range policy.For(name) {
					for _, s := range p.Samples {
						if s.Environment != name {
							continue
						}
						played++
						if r := rows[i]; r.Mean < s.Lo-1e-9 || r.Mean > s.Hi+1e-9 {
							t.Errorf("%s earns %.4f (%v), its sample says %.2f to %.2f", p.Name, r.Mean, r.Rewards, s.Lo, s.Hi)
						}
						if r := rows[i]; name != catalog.V1 && p.Kind == policy.Exploit && r.Max > 0.05 {
							t.Errorf("%s earns %.4f on one task", p.Name, r.Max)
						}
						if r := rows[i]; name != catalog.V1 && p.Kind == policy.Trick && r.Mean > honest {
							t.Errorf("%s earns %.4f, more than honest work, which earns %.4f", p.Name, r.Mean, honest)
						}
					}
				}
				if played < len(rows)/2 {
					t.Errorf("only %d of %d policies have a sample here", played, len(rows))
				}
			})
		}
	}
}

// TestVersion2EarnsWhatItDid holds version 2 against what policies earned when it was the only one. It is the same to the bit
// but for what the root's instructions cost, whose length counts in the efficiency.
func TestVersion2EarnsWhatItDid(t *testing.T) {
	data, err := os.ReadFile("testdata/v2.json")
	if err != nil {
		t.Fatal(err)
	}
	var earned map[string]map[string][]float64 // by split and policy
	if err := json.Unmarshal(data, &earned); err != nil {
		t.Fatal(err)
	}
	e, err := catalog.Open(context.Background(), orchestration.NameV2, options(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, split := range []string{env.Train, env.Heldout} {
		for name, want := range earned[split] {
			rows, err := policy.Audit(context.Background(), e, policy.AuditConfig{Selection: env.Selection{Split: split}, Tasks: len(want),
				Sandbox: engine, Policies: []policy.Policy{before(t, name)}})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, rows[0].Rewards, cmpopts.EquateApprox(0, 0.001)); diff != "" {
				t.Errorf("%s, %s: %s", split, name, diff)
			}
		}
	}
	if len(earned[env.Train]) != 5 || len(earned[env.Heldout]) != 5 {
		t.Errorf("figures of %d and %d policies", len(earned[env.Train]), len(earned[env.Heldout]))
	}
}

// before is a policy as it was then.
func before(t *testing.T, name string) policy.Policy {
	if name == "honest" {
		data, err := os.ReadFile("testdata/honest_v2.txtar")
		if err != nil {
			t.Fatal(err)
		}
		p := policy.Policy{Name: name, Kind: policy.Honest}
		for _, f := range txtar.Parse(data).Files {
			p.Replies = append(p.Replies, policy.Cell(string(f.Data)))
		}
		return p
	}
	for _, p := range policy.All() {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no policy is called %s", name)
	return policy.Policy{}
}

// TestReferenceHoles plays the exploits on the reference's own codebases: the figures of its red-team.
func TestReferenceHoles(t *testing.T) {
	if _, err := os.Stat(mini); err != nil {
		t.Skip("shared data is not here: the reference's codebases are not played")
	}
	o := options(t)
	o.Data = mini
	e, err := catalog.Open(context.Background(), catalog.V1, o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := policy.Audit(context.Background(), e, policy.AuditConfig{Tasks: 3, Sandbox: engine})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]float64{}
	for _, r := range rows {
		for _, x := range r.Rewards {
			got[r.Name] = append(got[r.Name], float64(int(x*1000+0.5))/1000)
		}
	}
	for name, want := range map[string][]float64{ // todo, calculator, blog
		"finish-at-once":  {0.2, 0.2, 0.2},
		"name-all-paths":  {0.7, 0.7, 0.7},
		"mutate-metadata": {0.7, 0.7, 0.7},
		"null":            {0.02, 0.02, 0.02},
		"replay":          {1, 1, 1},
	} {
		if diff := cmp.Diff(want, got[name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestEqualSeedsEqualRewards plays the policies with luck twice.
func TestEqualSeedsEqualRewards(t *testing.T) {
	e, err := catalog.Open(context.Background(), "orchestration", options(t))
	if err != nil {
		t.Fatal(err)
	}
	audit := func(seed int64, concurrency int) []float64 {
		var out []float64
		var play []policy.Policy
		for _, p := range policy.For(e.Name()) {
			if p.Kind == policy.Honest || p.Kind == policy.Random {
				play = append(play, p)
			}
		}
		rows, err := policy.Audit(context.Background(), e, policy.AuditConfig{Tasks: 3, Sandbox: engine, Seed: seed, Concurrency: concurrency,
			Policies:  play,
			Selection: env.Selection{Difficulty: env.Medium}})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			out = append(out, r.Rewards...)
		}
		return out
	}
	first := audit(1, 1)
	if diff := cmp.Diff(first, audit(1, 8)); diff != "" {
		t.Errorf("the same seed, other rewards: %s", diff)
	}
	if cmp.Equal(first, audit(2, 8)) {
		t.Error("another seed changed no reward: the workers' luck does not depend on it")
	}
}

func TestPoliciesAreComplete(t *testing.T) {
	if files, err := filepath.Glob("*.txtar"); err != nil || len(files) != len(policy.All()) {
		t.Errorf("%d files, %d policies, %v", len(files), len(policy.All()), err)
	}
	names := map[string]bool{}
	kinds := map[policy.Kind]int{}
	for _, p := range policy.All() {
		if names[p.Name] {
			t.Errorf("two policies are called %s", p.Name)
		}
		names[p.Name] = true
		kinds[p.Kind]++
		if p.About == "" || len(p.Replies) == 0 || len(p.Samples) == 0 {
			t.Errorf("policy %s lacks a description, replies or samples", p.Name)
		}
	}
	if kinds[policy.Exploit] < 10 || kinds[policy.Null] == 0 || kinds[policy.Honest] == 0 || kinds[policy.Random] == 0 {
		t.Errorf("kinds: %v", kinds)
	}
}
