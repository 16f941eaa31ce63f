package rlm

import (
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Replayed books what a journaled call can have cost with a pool; nil is none.
func Replayed(pool *llm.Budget, u trace.Usage) {
	if pool != nil && u.CostPico != nil {
		pool.Replay(money.USD(*u.Most()))
	}
}

// replaying keeps the money of all journaled calls from being spent before the run comes to them.
func replaying(pool *llm.Budget, past []trace.Event) {
	if pool == nil {
		return
	}
	for _, e := range past {
		var most *int64
		switch {
		case e.Kind == trace.KindRoot:
			most = e.Root.Usage.Most()
		case e.Kind == trace.KindDispatch && !e.Dispatch.Cached:
			most = e.Dispatch.Usage.Most()
		}
		if most != nil {
			pool.Replaying(money.USD(*most))
		}
	}
}

// replayed takes a journaled call's cost from the node's pool, so that a resumed run has the same money at the same
// point as the run that paid it.
func (n *node) replayed(u trace.Usage) { Replayed(n.pool, u) }

// settle books what the journal holds under a root call's key, once, and returns the reply, if there is one.
func (n *node) settle(key string) *trace.Root {
	reply, paid := n.run.journal.rootReply(key)
	if n.settled[key] {
		return reply
	}
	if n.settled == nil {
		n.settled = map[string]bool{}
	}
	n.settled[key] = true
	if reply != nil {
		paid = append(paid[:len(paid):len(paid)], reply.Usage)
	}
	for _, u := range paid {
		n.replayed(u)
		n.run.charge(&n.run.root, u, false)
	}
	return reply
}
