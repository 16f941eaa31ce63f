package trace

import (
	"math"
	"testing"
)

func TestInFlight(t *testing.T) {
	start := Event{Kind: KindStart, Start: &Start{}}
	child := Event{Kind: KindStart, Node: "t001.c01.d001.0001", Start: &Start{}}
	reserve := func(key string, root bool, most int64) Event {
		return Event{Kind: KindReserve, Key: key, Reserve: &Reserve{Root: root, MostPico: most}}
	}
	reply := func(key string) Event { return Event{Kind: KindRoot, Key: key, Root: &Root{}} }
	answer := func(key string) Event { return Event{Kind: KindDispatch, Key: key, Dispatch: &Dispatch{}} }
	tests := []struct {
		name         string
		events       []Event
		root, worker int64
	}{
		{"nothing", nil, 0, 0},
		{"settled", []Event{start, reserve("a", true, 5), reply("a"), reserve("b", false, 7), answer("b")}, 0, 0},
		{"killed", []Event{start, reserve("a", true, 5), reply("a"), reserve("b", false, 7), reserve("c", false, 8), answer("b")}, 0, 8},
		{"killed twice, then answered", []Event{start, reserve("a", true, 5), start, reserve("a", true, 5), start, reserve("a", true, 5),
			reply("a")}, 10, 0},
		{"two attempts", []Event{start, reserve("b", false, 7), reserve("b", false, 7)}, 0, 14},
		{"it cost nothing", []Event{start, reserve("a", true, 5), reserve("a", true, 0)}, 0, 0},
		{"a child begins", []Event{start, reserve("a", true, 5), child, reply("a")}, 0, 0},
		{"absurd", []Event{start, reserve("a", true, math.MaxInt64), reserve("b", true, 5), reserve("c", false, -5)}, math.MaxInt64, 0},
	}
	for _, tt := range tests {
		if root, worker := InFlight(tt.events); root != tt.root || worker != tt.worker {
			t.Errorf("%s: %d and %d, want %d and %d", tt.name, root, worker, tt.root, tt.worker)
		}
	}
}

func TestCost(t *testing.T) {
	reply := func(cost, most *int64) Event {
		return Event{Kind: KindRoot, Root: &Root{Usage: Usage{CostPico: cost, AtMostPico: most}}}
	}
	cached := Event{Kind: KindDispatch, Dispatch: &Dispatch{Cached: true, Usage: Usage{CostPico: new(int64(3))}}}
	answer := Event{Kind: KindDispatch, Dispatch: &Dispatch{Usage: Usage{CostPico: new(int64(4))}}}
	lost := Event{Kind: KindReserve, Key: "a", Reserve: &Reserve{MostPico: 7}}
	tests := []struct {
		name        string
		events      []Event
		least, most int64
		unknown     int
	}{
		{"nothing", nil, 0, 0, 0},
		{"settled", []Event{reply(new(int64(5)), nil), cached, answer}, 9, 9, 0},
		{"uncertain, and in flight", []Event{reply(new(int64(5)), new(int64(6))), lost}, 5, 13, 0},
		{"unknown", []Event{reply(nil, nil), answer}, 4, 4, 1},
		{"absurd", []Event{reply(new(int64(-5)), nil), reply(new(int64(math.MaxInt64)), nil), answer}, math.MaxInt64, math.MaxInt64, 0},
	}
	for _, tt := range tests {
		if least, most, unknown := Cost(tt.events); least != tt.least || most != tt.most || unknown != tt.unknown {
			t.Errorf("%s: %d to %d, %d unknown", tt.name, least, most, unknown)
		}
	}
}

func TestMost(t *testing.T) {
	for _, tt := range []struct{ cost, most, want *int64 }{
		{nil, nil, nil}, {nil, new(int64(3)), nil}, {new(int64(2)), nil, new(int64(2))}, {new(int64(2)), new(int64(3)), new(int64(3))},
		{new(int64(2)), new(int64(1)), new(int64(2))},
	} {
		got := Usage{CostPico: tt.cost, AtMostPico: tt.most}.Most()
		if (got == nil) != (tt.want == nil) || got != nil && *got != *tt.want {
			t.Errorf("%v", tt)
		}
	}
}
