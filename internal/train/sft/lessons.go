package sft

import (
	"math/rand/v2"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/train"
)

// learnVocabulary trains a tokenizer on the texts of episodes.
func learnVocabulary(episodes []train.Episode, vocab int) (*bpe.Tokenizer, error) {
	var texts []string
	for _, ep := range episodes {
		for _, x := range ep.Exchanges {
			texts = append(texts, x.View, x.Cell)
		}
	}
	return bpe.Train(texts, vocab, nano.Specials())
}

// lesson is one episode to learn from.
type lesson struct {
	segment train.Segment
	turns   int // those that are in it
}

// lessonOf encodes an episode as a policy lives it. Turns beyond the context are left out.
func lessonOf(t *bpe.Tokenizer, ep train.Episode, context int) (lesson, error) {
	var l lesson
	for i, x := range ep.Exchanges {
		tokens, own, err := nano.EncodeTurn(t, i, x)
		if err != nil {
			return l, hint.Wrap(err, "a base model for training is one that deeprepo train sft has made, or one that chats in ChatML")
		}
		if len(l.segment.Tokens)+len(tokens) > context {
			break
		}
		l.segment.Tokens = append(l.segment.Tokens, tokens...)
		l.segment.Own = append(l.segment.Own, own...)
		l.turns++
	}
	return l, nil
}

// lessonsOf encodes those episodes that have a turn within the context.
func lessonsOf(t *bpe.Tokenizer, episodes []train.Episode, context int) ([]lesson, error) {
	var out []lesson
	for _, ep := range episodes {
		l, err := lessonOf(t, ep, context)
		if err != nil {
			return nil, err
		}
		if l.turns > 0 {
			out = append(out, l)
		}
	}
	return out, nil
}

// split keeps the episodes of the last tasks for measuring: whole tasks, at least want episodes, but never more than
// half of them.
func split(episodes []train.Episode, want int) (learn, heldout []train.Episode) {
	at := max(len(episodes)-want, (len(episodes)+1)/2)
	for at > (len(episodes)+1)/2 && episodes[at-1].Task == episodes[at].Task {
		at--
	}
	task := map[string]bool{}
	for _, ep := range episodes[at:] {
		task[ep.Task] = true
	}
	for i, ep := range episodes {
		switch {
		case i >= at:
			heldout = append(heldout, ep)
		case !task[ep.Task]: // a task that came back teaches nothing that is measured
			learn = append(learn, ep)
		}
	}
	return learn, heldout
}

// order says which lesson stands where: all of them, in a new order each round.
type order struct {
	seed  uint64
	n     int
	round int
	perm  []int
}

// at is the lesson at a place, counted from 0 over all rounds.
func (o *order) at(place int) int {
	if round := place / o.n; o.perm == nil || round != o.round {
		o.round = round
		o.perm = rand.New(rand.NewPCG(o.seed, uint64(round))).Perm(o.n) // it decides an order
	}
	return o.perm[place%o.n]
}

// steps is how many steps read that many tokens.
func steps(lessons []lesson, o *order, batch, tokens int) int {
	read := 0
	for place := 0; ; place++ {
		if read >= tokens && place%batch == 0 {
			return max(1, place/batch)
		}
		read += len(lessons[o.at(place)].segment.Tokens)
	}
}
