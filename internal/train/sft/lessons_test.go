package sft

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/train"
)

func TestLesson(t *testing.T) {
	ep := train.Episode{Exchanges: []nano.Exchange{{View: "3 files t1/20", Cell: "print(1)"}, {View: "1 t2/20", Cell: "set_answer('x')"}}}
	tokenizer, err := learnVocabulary([]train.Episode{ep, ep}, 280)
	if err != nil {
		t.Fatal(err)
	}
	l, err := lessonOf(tokenizer, ep, 1000)
	if err != nil || l.turns != 2 {
		t.Fatalf("%d turns, %v", l.turns, err)
	}
	var own strings.Builder
	for i, token := range l.segment.Tokens {
		if l.segment.Own[i] {
			own.WriteString(tokenizer.Text(token))
		}
	}
	if want := "print(1)<|end|>set_answer('x')<|end|>"; own.String() != want {
		t.Errorf("its own is %q, want %q", own.String(), want)
	}
	if text, want := tokenizer.Decode(l.segment.Tokens),
		"<|view|>3 files t1/20<|cell|>print(1)<|end|><|view|>1 t2/20<|cell|>set_answer('x')<|end|>"; text != want {
		t.Errorf("it reads %q", text)
	}
	short, err := lessonOf(tokenizer, ep, len(l.segment.Tokens)-1)
	if err != nil || short.turns != 1 {
		t.Errorf("in a context one short there are %d turns, %v", short.turns, err)
	}
	if none, err := lessonsOf(tokenizer, []train.Episode{ep}, 3); err != nil || len(none) != 0 {
		t.Errorf("in a context of 3 there are %d lessons, %v", len(none), err)
	}
}

func TestSplit(t *testing.T) {
	var all []train.Episode
	for i := range 20 {
		all = append(all, train.Episode{Task: fmt.Sprint(i / 4)})
	}
	for want, n := range map[int]int{1: 4, 4: 4, 5: 8, 8: 8, 100: 10} {
		learn, heldout := split(all, want)
		seen := map[string]bool{}
		for _, ep := range heldout {
			seen[ep.Task] = true
		}
		for _, ep := range learn {
			if seen[ep.Task] {
				t.Errorf("task %s is learnt from and measured on", ep.Task)
			}
		}
		if len(heldout) != n {
			t.Errorf("of %d wanted there are %d", want, len(heldout))
		}
	}
}

func TestOrder(t *testing.T) {
	o := &order{seed: 1, n: 10}
	var rounds [3][]int
	for place := range 30 {
		rounds[place/10] = append(rounds[place/10], o.at(place))
	}
	for _, r := range rounds {
		seen := map[int]bool{}
		for _, i := range r {
			seen[i] = true
		}
		if len(seen) != 10 {
			t.Errorf("a round is %v", r)
		}
	}
	if fmt.Sprint(rounds[0]) == fmt.Sprint(rounds[1]) {
		t.Error("two rounds have the same order")
	}
	again := &order{seed: 1, n: 10}
	if again.at(25) != rounds[2][5] || again.at(3) != rounds[0][3] {
		t.Error("the order depends on what was asked before")
	}
}
