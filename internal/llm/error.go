package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
)

// Kind says what went wrong with a call, in the terms a user or a retry loop can act on.
type Kind string

// The kinds of [Error].
const (
	KindAuth            Kind = "auth"             // the key is missing or was refused
	KindQuota           Kind = "quota"            // the account has no credit left
	KindRateLimit       Kind = "rate_limit"       // too many requests or tokens for now
	KindUnknownModel    Kind = "unknown_model"    // the provider does not serve this model
	KindUnknownProvider Kind = "unknown_provider" // no such provider
	KindNotConfigured   Kind = "not_configured"   // the provider needs a variable that is not set
	KindContextLength   Kind = "context_length"   // the prompt does not fit the model's window
	KindBadRequest      Kind = "bad_request"      // the provider refused the request as it is
	KindOverloaded      Kind = "overloaded"       // 5xx, 408 or 409: the provider's trouble, likely to pass
	KindConnection      Kind = "connection"       // the server was not reached
	KindUnreachable     Kind = "unreachable"      // the address does not work: no such host, a bad certificate, a redirect elsewhere
	KindTimeout         Kind = "timeout"          // the server took too long over the reply
	KindTruncated       Kind = "truncated"        // the connection broke in the middle of the reply
	KindEmpty           Kind = "empty"            // the reply had neither text nor tool calls
	KindInvalid         Kind = "invalid_reply"    // the reply was not what the protocol asks for
	KindFiltered        Kind = "filtered"         // the provider's filter withheld the reply
	KindCanceled        Kind = "canceled"         // ctx ended first
	KindBudget          Kind = "budget"           // the budget cannot cover the call
	KindPrice           Kind = "price"            // a budget is set but the model's price is not known
)

// Permanent reports whether every other call to the model would fail in the same way.
func (k Kind) Permanent() bool {
	switch k {
	case KindAuth, KindQuota, KindUnknownModel, KindUnknownProvider, KindNotConfigured, KindPrice, KindUnreachable:
		return true
	}
	return false
}

// ErrBudget is matched by every error of kind [KindBudget].
var ErrBudget = errors.New("budget exhausted")

// Error is a failed call. Its text never holds a key.
type Error struct {
	Kind    Kind
	Model   string // full name, when known
	Status  int    // HTTP status, 0 without one
	Message string // what the provider said, or what was seen
	// RetryAfter is how long the provider asked to wait; 0 when it did not say.
	RetryAfter time.Duration
	// Usage and Cost are what the failed call was billed, when the provider said so (an empty reply is paid for).
	Usage Usage
	Cost  *money.USD
	// MaybeBilled: the request went out whole and was not refused, so that the provider may have worked on it. What else may
	// have been billed is told by the kind; see Uncertain.
	MaybeBilled bool
	// Most bounds what a call whose Cost is not known can have cost; nil: nobody knows.
	Most *money.USD
	// Earlier are the failed attempts before this one.
	Earlier Earlier
	// Hints overrides the kind's own hint.
	Hints string
	// Err is ctx's error when that ended the call. It never carries a provider's text.
	Err error
}

// Error is "MODEL: STATUS: MESSAGE" without what is not known.
func (e *Error) Error() string {
	var parts []string
	if e.Model != "" {
		parts = append(parts, e.Model)
	}
	if e.Status != 0 {
		parts = append(parts, fmt.Sprintf("status %d", e.Status))
	}
	return strings.Join(append(parts, e.text()), ": ")
}

// text is the message, or the kind's name.
func (e *Error) text() string {
	if e.Message != "" {
		return e.Message
	}
	return strings.ReplaceAll(string(e.Kind), "_", " ")
}

// Unwrap gives ctx's error, if any.
func (e *Error) Unwrap() error { return e.Err }

// Is matches [ErrBudget] for kind [KindBudget].
func (e *Error) Is(target error) bool { return target == ErrBudget && e.Kind == KindBudget }

// Temporary reports whether the same request may succeed later: 408, 409, 429 without an empty account, 5xx,
// connections that failed or broke, and replies that took too long. An address that does not work ([KindUnreachable])
// will not work in a minute either.
func (e *Error) Temporary() bool {
	switch e.Kind {
	case KindRateLimit, KindOverloaded, KindConnection, KindTimeout, KindTruncated:
		return true
	}
	return false
}

// Uncertain reports whether the provider may have billed the call without saying how much.
//
// Certainly free is a call whose request did not go out whole (no connection, no such host, TLS, given up before), or that
// the server itself refused: a redirect, 4xx, 429 among them, and of the 5xx those that say that no work was done (501, 503,
// 505, 529). Everything that went wrong after the request went out may be on the bill: a connection that closed without
// an answer, the other 5xx (a gateway's 502 and 504 do not say what the model behind it did), replies that took too long,
// broke off or could not be read, and errors within a reply.
func (e *Error) Uncertain() bool {
	if e.Cost != nil {
		return false
	}
	switch e.Kind {
	case KindTruncated, KindCanceled, KindEmpty, KindInvalid, KindFiltered:
		return true
	}
	return e.MaybeBilled
}

// Hint is one line on what to do about it, or "".
func (e *Error) Hint() string {
	if e.Hints != "" {
		return e.Hints
	}
	provider, name, _ := strings.Cut(e.Model, "/")
	switch e.Kind {
	case KindAuth:
		return "check the API key of " + orThe(provider) + "; `deeprepo models` shows which variable it is read from"
	case KindQuota:
		return "the account has no credit left: top it up, or choose another model (`deeprepo models`)"
	case KindRateLimit:
		return "lower --concurrency, or wait a little and run `deeprepo resume`"
	case KindUnknownModel:
		return "`deeprepo models` lists the models that " + orThe(provider) + " serves"
	case KindUnknownProvider, KindNotConfigured:
		return "`deeprepo models` lists the providers and the variables they need"
	case KindContextLength:
		return "the prompt does not fit the model: ask for smaller pieces, or choose a model with a larger context"
	case KindUnreachable:
		return "check the address; `deeprepo models` shows it"
	case KindTimeout, KindOverloaded, KindConnection, KindTruncated:
		return "the provider may be down; `deeprepo models` shows whether it is reachable"
	case KindEmpty:
		return "the model may have used its whole token limit for thinking: allow more tokens a reply"
	case KindBudget:
		return "raise --budget, or choose cheaper models (`deeprepo models`)"
	case KindPrice:
		return fmt.Sprintf("set its price in deeprepo.toml ([model.%q] input = ..., output = ..., in USD per million tokens) or run without "+
			"--budget", provider+"/"+name)
	}
	return ""
}

func orThe(provider string) string {
	if provider == "" {
		return "the provider"
	}
	return provider
}

// KindOf is err's kind, [KindCanceled] for a bare context error, "" for anything else.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return KindCanceled
	}
	return ""
}

// asError copies the [*Error] in err, so that a wrapper may complete it.
func asError(err error) (Error, bool) {
	if e, ok := errors.AsType[*Error](err); ok {
		return *e, true
	}
	return Error{}, false
}

// canceled is ctx's end as an [*Error] of a call that had not gone out: it cost nothing.
func canceled(ctx context.Context) *Error {
	return &Error{Kind: KindCanceled, Message: "the call was given up: " + ctx.Err().Error(), Err: ctx.Err(), Cost: new(money.USD)}
}
