package simulation_test

import (
	"math/rand/v2"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// fault is what happens to one call to a provider.
type fault int

const (
	none fault = iota
	nothingFound
	slow
	cutReply   // the reply ends in mid-JSON and says stop
	cutAtLimit // it ends in mid-JSON and says length
	wholeAtLimit
	refusesInProse
	refusesInJSON
	filteredReply
	filteredError
	emptyReply
	emptyError
	wrongJSON
	prose
	absurdUsage
	negativeUsage
	noUsage
	overcharge
	badRequest
	unauthorized
	forbidden
	notFound
	timedOut
	rateLimited
	rateLimitedLong
	broken
	badGateway
	unavailable
	noConnection
	lostConnection // after the request went out
	invalidReply
	noCredit
	panics
	faultCount
)

// profile draws which faults a scenario has: none, one kind, a few, or all. A fault that stands there often is frequent.
func profile(r *rand.Rand) []fault {
	var from []fault
	switch r.IntN(5) {
	case 0:
		return []fault{none}
	case 1:
		from = []fault{none, fault(r.IntN(int(faultCount)))}
	case 2:
		return []fault{fault(r.IntN(int(faultCount)))}
	case 3:
		for range 4 {
			from = append(from, none, fault(r.IntN(int(faultCount))))
		}
	default:
		for f := range faultCount {
			from = append(from, f)
			if f%2 == 0 {
				from = append(from, none)
			}
		}
	}
	return from
}

// second is a second of the provider's: waits are a thousand times shorter here, their proportions are kept.
const second = time.Millisecond

// retry is the program's own patience in such time. It is longer in proportion: a busy machine must not use it up.
var retry = llm.RetryConfig{
	Base: second / 2, Max: 30 * second, Patience: 30_000 * second, Rand: func() float64 { return 0.5 },
}

// failure is the error that a fault is, nil for those that are replies. maybe says that the provider may have worked.
func (f fault) failure() (err *llm.Error, maybe bool) {
	of := func(kind llm.Kind, status int, message string) *llm.Error {
		return &llm.Error{Kind: kind, Status: status, Message: message + " " + escape + markup}
	}
	switch f {
	case filteredError:
		return of(llm.KindFiltered, 200, "filtered"), true
	case emptyError:
		return of(llm.KindEmpty, 200, "empty"), true
	case badRequest:
		return of(llm.KindBadRequest, 400, "bad request"), false
	case unauthorized:
		return of(llm.KindAuth, 401, "who are you"), false
	case forbidden:
		return of(llm.KindAuth, 403, "forbidden"), false
	case notFound:
		return of(llm.KindUnknownModel, 404, "no such model"), false
	case noCredit:
		return of(llm.KindQuota, 402, "no credit"), false
	case timedOut:
		return of(llm.KindOverloaded, 408, "timeout"), false
	case rateLimited:
		e := of(llm.KindRateLimit, 429, "slow down")
		e.RetryAfter = 2 * second
		return e, false
	case rateLimitedLong:
		e := of(llm.KindRateLimit, 429, "come back later")
		e.RetryAfter = 40_000 * second // more than anybody has patience for
		return e, false
	case broken:
		e := of(llm.KindOverloaded, 500, "oops")
		e.MaybeBilled = true
		return e, true
	case badGateway:
		e := of(llm.KindOverloaded, 502, "bad gateway")
		e.MaybeBilled = true
		return e, true
	case unavailable:
		return of(llm.KindOverloaded, 503, "unavailable"), false
	case noConnection:
		return of(llm.KindConnection, 0, "connection refused"), false
	case lostConnection:
		return of(llm.KindTruncated, 0, "unexpected EOF"), true
	case invalidReply:
		return of(llm.KindInvalid, 200, "not a reply"), true
	}
	return nil, false
}
