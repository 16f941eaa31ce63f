// Package llm is the one way deeprepo talks to a language model.
//
// A [Model] answers a [Request], a conversation or a raw prompt, with a [Response]; everything else wraps that one
// method and keeps its shape:
// [WithPrice] puts the dollars on a reply, [Limiter] holds calls back after a 429, [WithBudget] reserves before a call and
// settles after it, [WithRetry] repeats what is worth repeating, [Cache] answers from disk. [Stack] puts them together
// in the only order that is right:
//
//	cache( span( retry( budget( limiter( price( provider ))))))
//
// A call waits for its provider only as long as [RetryConfig.Patience] lets it, over all its attempts. What the failed ones
// cost, or may have cost, is in the reply's or the error's [Earlier].
//
// A reply from the cache costs nothing and reserves nothing; every retry reserves on its own, since the attempt
// before it may have been billed; an attempt that waits for the limiter already holds its reservation. An [Opener] does
// so for the root and the workers of a run.
//
// Invariants: dollars are integers (see [money.USD]) and never rounded down; a price that is not known is nil and never 0;
// the sum of what was spent and what is reserved never exceeds a [Budget]'s cap when a call starts; no error text
// holds a key.
//
// The package is not a client library: the providers in the subpackage provider use the official SDKs. It knows
// nothing of prompts, code or findings.
package llm
