package rlm

import (
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// bookLost books what the calls that were killed in flight can have cost, and takes it from the money there is.
func bookLost(past []trace.Event, pool *llm.Budget, root, worker *RoleUsage) {
	ofRoot, ofWorker := trace.InFlight(past)
	root.AtMost = money.AddUSD(root.AtMost, money.USD(ofRoot))
	worker.AtMost = money.AddUSD(worker.AtMost, money.USD(ofWorker))
	if sum := money.AddUSD(money.USD(ofRoot), money.USD(ofWorker)); pool != nil {
		pool.Replaying(sum)
		pool.Replay(sum)
	}
}
