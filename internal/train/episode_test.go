package train

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestJoin(t *testing.T) {
	turn := func(context, reply []int32) nano.Turn {
		logp := make([]float32, len(reply))
		for i := range logp {
			logp[i] = -float32(reply[i])
		}
		return nano.Turn{Context: context, Reply: reply, LogP: logp}
	}
	T, F := true, false
	tests := []struct {
		name  string
		turns []nano.Turn
		want  []Segment
	}{
		{"nothing", nil, nil},
		{"one turn", []nano.Turn{turn([]int32{1, 2}, []int32{3})}, []Segment{{[]int32{1, 2, 3}, []bool{F, F, T}, []float32{0, 0, -3}}}},
		{"two turns of one conversation", []nano.Turn{turn([]int32{1}, []int32{2, 3}), turn([]int32{1, 2, 3, 4}, []int32{5})},
			[]Segment{{[]int32{1, 2, 3, 4, 5}, []bool{F, T, T, F, T}, []float32{0, -2, -3, 0, -5}}}},
		{"the conversation was shortened", []nano.Turn{turn([]int32{1}, []int32{2, 3}), turn([]int32{1, 4}, []int32{5})},
			[]Segment{{[]int32{1, 2, 3}, []bool{F, T, T}, []float32{0, -2, -3}}, {[]int32{1, 4, 5}, []bool{F, F, T}, []float32{0, 0, -5}}}},
		{"other tokens before", []nano.Turn{turn([]int32{1}, []int32{2}), turn([]int32{9, 2, 3}, []int32{4})},
			[]Segment{{[]int32{1, 2}, []bool{F, T}, []float32{0, -2}}, {[]int32{9, 2, 3, 4}, []bool{F, F, F, T}, []float32{0, 0, 0, -4}}}},
		{"a turn without a reply", []nano.Turn{turn([]int32{1}, nil), turn([]int32{1}, []int32{2})}, []Segment{{[]int32{1, 2}, []bool{F, T}, []float32{0, -2}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Join(tt.turns)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestJoinKeepsAll: every token that was written is learnt from once, with its own log-probability, whatever the turns.
func TestJoinKeepsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var turns []nano.Turn
		var stream []int32
		var written []float32
		for range rapid.IntRange(0, 6).Draw(t, "turns") {
			if rapid.Bool().Draw(t, "shortened") {
				stream = stream[:len(stream)/2]
			}
			for range rapid.IntRange(0, 4).Draw(t, "view") {
				stream = append(stream, rapid.Int32Range(0, 3).Draw(t, "token"))
			}
			turn := nano.Turn{Context: append([]int32{}, stream...)}
			for range rapid.IntRange(0, 4).Draw(t, "reply") {
				p := -rapid.Float32Range(0.1, 9).Draw(t, "logp")
				turn.Reply, turn.LogP = append(turn.Reply, rapid.Int32Range(0, 3).Draw(t, "written")), append(turn.LogP, p)
				written = append(written, p)
			}
			stream = append(stream, turn.Reply...)
			turns = append(turns, turn)
		}
		var got []float32
		own := 0
		for _, s := range Join(turns) {
			if len(s.Own) != len(s.Tokens) || len(s.LogP) != len(s.Tokens) {
				t.Fatalf("%d tokens, %d marks, %d probabilities", len(s.Tokens), len(s.Own), len(s.LogP))
			}
			for i := range s.Tokens {
				if s.Own[i] {
					got = append(got, s.LogP[i])
				} else if s.LogP[i] != 0 {
					t.Fatal("a token that was given has a probability")
				}
			}
			own += s.Owned()
		}
		if diff := cmp.Diff(written, got); diff != "" || own != len(written) {
			t.Fatal(diff)
		}
	})
}
