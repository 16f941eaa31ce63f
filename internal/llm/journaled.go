package llm

import (
	"errors"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Reserving is the request of a call under key, so that what it can cost stands in the journal before it leaves. The line
// is written, and not waited for until it is on disk: a killed process loses nothing, a power cut may lose the last
// moment. Nothing leaves where it cannot be written.
func Reserving(w *trace.Writer, request Request, key string, root bool) Request {
	request.Reserved = func(most money.USD) error {
		return w.Append(trace.Event{Kind: trace.KindReserve, Key: key, Reserve: &trace.Reserve{Root: root, MostPico: int64(most)}})
	}
	return request
}

// Settled notes that the call under key cost nothing, where no event of its own says what it cost.
func Settled(w *trace.Writer, key string) error {
	return w.Append(trace.Event{Kind: trace.KindReserve, Key: key, Reserve: &trace.Reserve{}})
}

// UsageOf is what a call consumed, the attempts before the one that succeeded included.
func UsageOf(r Response) trace.Usage {
	all := r.Usage.Add(r.Earlier.Usage)
	u := trace.Usage{
		InputTokens: all.InputTokens, CachedTokens: all.CachedTokens, CacheWriteTokens: all.CacheWriteTokens, OutputTokens: all.OutputTokens,
	}
	least, most := r.Earlier.Cost, r.Earlier.Most
	switch {
	case r.Earlier.Unbounded > 0 || r.Cost == nil && r.Most == nil:
		return u
	case r.Cost != nil:
		least = money.AddUSD(least, *r.Cost)
	default:
		most = money.AddUSD(most, *r.Most)
	}
	u.CostPico = new(int64(least))
	if most > 0 {
		u.AtMostPico = new(int64(money.AddUSD(least, most)))
	}
	return u
}

// FailedUsage is what a failed call was billed, as far as the provider said: nothing, mostly. A call that broke off after
// it was sent may have been billed without a word: it cost at most what it was bounded to, and an unknown amount, which is
// not zero, where nothing bounds it.
func FailedUsage(err error, price *Price) trace.Usage {
	var e *Error
	if !errors.As(err, &e) {
		return trace.Usage{CostPico: new(int64)}
	}
	r := Response{Usage: e.Usage, Cost: e.Cost, Earlier: e.Earlier}
	if e.Cost == nil {
		if e.Usage == (Usage{}) && (!e.Uncertain() || price != nil && price.Free()) {
			r.Cost = new(money.USD)
		}
		r.Most = e.Most
	}
	return UsageOf(r)
}
