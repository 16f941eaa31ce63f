package rlm

import (
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// reserving is the request of a call under key, so that what it can cost stands in the journal before it leaves. The line
// is written, and not waited for until it is on disk: a killed process loses nothing, a power cut may lose the last
// moment. Nothing leaves where it cannot be written.
func reserving(w *trace.Writer, request llm.Request, key string, root bool) llm.Request {
	request.Reserved = func(most money.USD) error {
		return w.Append(trace.Event{Kind: trace.KindReserve, Key: key, Reserve: &trace.Reserve{Root: root, MostPico: int64(most)}})
	}
	return request
}

// settled notes that a call cost nothing, where no event of its own says what it cost.
func settled(w *trace.Writer, key string) error {
	return w.Append(trace.Event{Kind: trace.KindReserve, Key: key, Reserve: &trace.Reserve{}})
}

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
