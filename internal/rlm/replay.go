package rlm

import (
	"strings"

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
// point as the run that paid it. again is where the run counts what it has come to.
func (n *node) replayed(again *RoleUsage, u trace.Usage, cached bool) {
	Replayed(n.pool, u)
	if billed(u) {
		n.run.charge(again, u, cached)
	}
}

// bookUnreached books the calls that earlier executions paid for and this one did not come to: it ended before, or went
// another way. They are paid for all the same. Other stages book their own.
func (r *run) bookUnreached() {
	var root, worker RoleUsage
	for _, e := range r.cfg.Past {
		switch {
		case !strings.HasPrefix(e.Key, "t"): // another stage's
		case e.Kind == trace.KindRoot && billed(e.Root.Usage):
			root.Add(e.Root.Usage)
		case e.Kind == trace.KindDispatch && !e.Dispatch.Cached && billed(e.Dispatch.Usage):
			worker.Add(e.Dispatch.Usage)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.root.addRest(root, r.rootAgain)
	r.worker.addRest(worker, r.workerAgain)
}

// settle books what the journal holds under a root call's key, once, and returns the reply, if there is one.
func (n *node) settle(key string) *trace.Root {
	reply, paid := n.run.journal.rootReply(key)
	if reply != nil || len(paid) > 0 {
		n.heard = n.turn
	}
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
		n.replayed(&n.run.rootAgain, u, false)
		n.run.charge(&n.run.root, u, false)
	}
	return reply
}
