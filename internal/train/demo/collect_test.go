package demo

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/google/go-cmp/cmp"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

func open() env.Environment {
	return catalog.Orchestration(catalog.Options{Parser: runtest.OpenParser})
}

// TestMix plays demonstrations in the real environment: they are as good and as bad, all together, as they are meant to be.
func TestMix(t *testing.T) {
	e := open()
	const n = 200
	episodes, err := Collect(context.Background(), e, engine, Config{Episodes: n, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	kinds, rewards, tasks := map[string]int{}, map[string]float64{}, map[string]int{}
	var reward, zero, cells, failed, broken float64
	for i, ep := range episodes {
		kinds[ep.Policy]++
		rewards[ep.Policy] += ep.Reward
		tasks[ep.Task]++
		reward += ep.Reward / n
		zero += ep.Metrics["zero_delegation"] / n
		cells += ep.Metrics[train.MetricCells]
		failed += ep.Metrics[train.MetricCellErrors]
		broken += ep.Metrics[train.MetricSyntaxErrors]
		if len(ep.Exchanges) != ep.Turns || ep.Metrics["num_turns"] != float64(ep.Turns) {
			t.Fatalf("episode %d has %d turns and %d exchanges", i, ep.Turns, len(ep.Exchanges))
		}
		var views []string
		script := Draw(mix(2, i))
		for turn, x := range ep.Exchanges { // what was recorded is what the script says to these views
			views = append(views, x.View)
			if want := script.Cell(views); x.Cell != want {
				t.Fatalf("episode %d, turn %d: the cell\n%s\nis not the script's\n%s", i, turn+1, x.Cell, want)
			}
			if words := len(strings.Fields(x.Cell)); words > 90 {
				t.Errorf("a cell of %d words:\n%s", words, x.Cell)
			}
		}
		if !strings.HasPrefix(ep.Task, "orchestration/train/") {
			t.Errorf("task %s is not one of the training split", ep.Task)
		}
	}
	if reward < 0.25 || reward > 0.45 {
		t.Errorf("the mean reward is %.3f", reward)
	}
	if zero < 0.2 || zero > 0.42 {
		t.Errorf("%.0f%% send nothing", 100*zero)
	}
	if share := failed / cells; share < 0.1 || share > 0.3 {
		t.Errorf("%.0f%% of the cells fail", 100*share)
	}
	if share := broken / cells; share < 0.06 || share > 0.2 {
		t.Errorf("%.0f%% of the cells are no Python", 100*share)
	}
	for kind := range Kinds() {
		if kinds[kind] == 0 {
			t.Errorf("of %d episodes none is of the kind %s", n, kind)
		}
	}
	mean := func(kind string) float64 { return rewards[kind] / float64(max(1, kinds[kind])) }
	if mean("neighbours") < 0.8 || mean("finish_early") > 0 || mean("batch_all") <= mean("broken_code") {
		t.Errorf("mean rewards by kind: neighbours %.2f, finish_early %.2f, batch_all %.2f, broken_code %.2f",
			mean("neighbours"), mean("finish_early"), mean("batch_all"), mean("broken_code"))
	}
	for task, k := range tasks {
		if k != 8 {
			t.Errorf("task %s is played by %d scripts", task, k)
		}
	}
}

// TestCollectIsRepeatable plays the same with another concurrency, on both difficulties.
func TestCollectIsRepeatable(t *testing.T) {
	e := open()
	c := Config{Episodes: 12, PerTask: 4, Seed: 9, Difficulties: []string{env.Easy, env.Medium}, Concurrency: 1}
	played := 0
	c.Observe = func(done, total int) {
		if played++; done != played || total != 12 {
			t.Errorf("progress says %d of %d after %d", done, total, played)
		}
	}
	first, err := Collect(context.Background(), e, engine, c)
	if err != nil {
		t.Fatal(err)
	}
	c.Concurrency, c.Observe = 6, nil
	second, err := Collect(context.Background(), e, engine, c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("the same configuration gives other episodes: %s", diff)
	}
	if played != 12 || !strings.Contains(first[4].Task, "/medium/") || !strings.Contains(first[0].Task, "/easy/") {
		t.Errorf("%d played, on %s and %s", played, first[0].Task, first[4].Task)
	}
}

func TestCollectStops(t *testing.T) {
	e := open()
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Collect(ctx, e, engine, Config{Episodes: 64, Observe: func(done, _ int) {
		if done == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
	if _, err := Collect(context.Background(), e, engine, Config{Episodes: 8, Difficulties: []string{"absurd"}}); err == nil ||
		!strings.Contains(err.Error(), "absurd") {
		t.Errorf("no such difficulty: %v", err)
	}
	if _, err := Collect(context.Background(), e, engine, Config{Episodes: -1}); err == nil {
		t.Error("-1 episodes are collected")
	}
}

// TestReactions gives scripts views by hand.
func TestReactions(t *testing.T) {
	views := []string{"9 files 23k py8 md1 t1/20", "SyntaxError: '(' was never closed t2/20 c0", "SyntaxError: '(' was never closed t3/20 c0"}
	repeats, guesses, repairs := 0, 0, 0
	for seed := range uint64(400) {
		s := Draw(seed)
		first, second := s.Cell(views[:1]), s.Cell(views[:2])
		switch {
		case second == first:
			repeats++
		case strings.HasPrefix(second, `set_answer("`):
			guesses++
		default:
			repairs++
		}
		if again := s.Cell(views[:2]); again != second {
			t.Fatalf("seed %d says two things to the same views", seed)
		}
		if seed < 50 && (s.Cell(views) == "" || first == "") {
			t.Errorf("seed %d writes nothing", seed)
		}
	}
	if repeats < 30 || guesses < 30 || repairs < 100 {
		t.Errorf("after an error %d repeat it, %d guess and %d go on", repeats, guesses, repairs)
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func request(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: text}}}
}

const opening = "The codebase has 3 files, 10 lines, 900 characters.\n\n<file_tree>\na.py (5 lines)\n</file_tree>\n\n[Turn 1/20, 19 " +
	"left after it; coverage 0%]"

func TestBroken(t *testing.T) {
	s := Script{kind: kinds()[3], seed: 4}
	cell := s.Cell([]string{"9 files 23k py8 md1 t1/20"})
	if s.Kind() != "broken_code" || cell == "" {
		t.Fatalf("%s writes %q", s.Kind(), cell)
	}
	r := newStyle(newRand(1)).r
	good := newStyle(newRand(2)).section() + newStyle(newRand(2)).each()
	forms := map[string]bool{}
	for range 200 {
		bad := broken(r, good)
		if bad == good {
			t.Fatal("a slip changes nothing")
		}
		forms[bad] = true
	}
	if len(forms) < 10 {
		t.Errorf("there are %d wrong forms", len(forms))
	}
	if got := broken(r, "1"); got != "1" {
		t.Errorf("where no slip applies %q comes out", got)
	}
	if got := without(r, "a)", ")"); got != "a" {
		t.Errorf("without its bracket it is %q", got)
	}
}

// TestHandleIsATool checks the form of what a script sends.
func TestHandleIsATool(t *testing.T) {
	s := Draw(5)
	h := s.Handle()
	if !h.Tools || !h.Local || h.Name != "demo/"+s.Kind() || h.Price == nil {
		t.Errorf("the handle is %+v", h)
	}
	response, err := h.Model.Complete(context.Background(), request(opening))
	if err != nil || len(response.ToolCalls) != 1 {
		t.Fatalf("it says %+v, %v", response, err)
	}
	var args struct {
		Code string `json:"code"`
	}
	if err := json.Unmarshal([]byte(response.ToolCalls[0].Arguments), &args); err != nil || response.ToolCalls[0].Name != "execute_python" {
		t.Fatalf("its call is %+v, %v", response.ToolCalls[0], err)
	}
	views := nano.Render(request(opening).Messages)
	if want := s.Cell([]string{views[0].View}); args.Code != want {
		t.Errorf("its cell is %q, want %q", args.Code, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := h.Model.Complete(ctx, request("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}
