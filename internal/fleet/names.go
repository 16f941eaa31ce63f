package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Kind is what an item asks for.
type Kind string

// The kinds.
const (
	KindJudge   Kind = "judge"   // verdicts on programs
	KindRollout Kind = "rollout" // rollouts in an environment
	KindReview  Kind = "review"  // reviews of codebases
)

// Kinds are all of them.
func Kinds() []Kind { return []Kind{KindJudge, KindRollout, KindReview} }

// What a hub holds. Streams and buckets are made by [Setup].
const (
	workStream    = "deeprepo_work"     // items that wait or run; gone when acknowledged
	resultStream  = "deeprepo_results"  // the latest result of each item
	deadStream    = "deeprepo_dead"     // items that nobody could finish, with their reasons
	journalStream = "deeprepo_journal"  // what is written down of long items while they run
	replyStream   = "deeprepo_replies"  // what models replied, by the hashes of their requests
	verdictStream = "deeprepo_verdicts" // what programs were judged to be, by what decides it
	stateBucket   = "deeprepo_state"    // what this fleet is
	workerBucket  = "deeprepo_workers"  // what each worker does, for as long as it says so
	orderBucket   = "deeprepo_orders"   // what workers are told
	moneyBucket   = "deeprepo_money"    // what runs may spend, and who has leased of it
	payloadBucket = "deeprepo_payloads" // what does not fit a message
)

// Subjects. The last part of the first three is the item's key.
const (
	workSubject   = "deeprepo.work."   // KIND.RUN.KEY
	resultSubject = "deeprepo.result." // KIND.KEY
	deadSubject   = "deeprepo.dead."   // KIND.KEY
	doneSubject   = "deeprepo.done."   // RUN: results as they come, not kept
	stopSubject   = "deeprepo.stop."   // RUN: nobody waits for its items any more, not kept
	replySubject  = "deeprepo.reply."  // HASH
	// verdictSubject is the judgement of a program: KEY.
	verdictSubject = "deeprepo.verdict."
	// journalSubject is the journal of an item: KIND.KEY.
	journalSubject = "deeprepo.journal."
)

// Bounds.
const (
	// MostDeliveries is how often an item is handed out before it counts as dead.
	MostDeliveries = 3
	// mostInline is the largest payload that travels in a message, in bytes; NATS servers take 1 MiB by default.
	mostInline = 512 << 10
	// mostPayload is the largest payload at all, in bytes.
	mostPayload = 256 << 20
	// keptResults is how long a hub knows what an item gave.
	keptResults = 7 * 24 * time.Hour
	// DefaultAckWait is how long a worker may be silent before its item goes to another one.
	DefaultAckWait = 30 * time.Second
)

// keyOf is what an item is known by.
func keyOf(kind Kind, build string, payload []byte) string {
	h := sha256.New()
	for _, part := range []string{string(kind), build} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	h.Write(payload)
	return hex.EncodeToString(h.Sum(nil)[:20])
}
