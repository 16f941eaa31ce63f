// Package fleet spreads work over many machines, on NATS JetStream.
//
// Three parties speak to a hub, which is a NATS server with JetStream (see hub, which embeds one): a coordinator, the
// command that somebody started, puts items of work into a queue; workers take them, one for each free slot; and what they
// found goes back. An item is a payload of some [Kind] and is known by its key, the hash of kind, build and payload.
//
// Start at conn.go: [Dial] connects. [Pool] (pool.go) is the coordinator's side, [Conn.Work] (work.go) the worker's,
// judge.go the first kind: programs and verdicts; the others are packages below this one. Items that ask models have a
// journal (journal.go, lastholder.go) and lease money (money.go); contents that several need travel by hash (blobs.go), and
// models' replies (replies.go) and programs' verdicts (verdicts.go). [Conn.Status] says what a fleet does.
//
// Invariants:
//   - A result is stored under its item's key before the item is acknowledged, so an item that is delivered again is
//     recognised; a coordinator counts an item once, whatever arrives twice.
//   - A coordinator believes a result only from who was handed the item: it carries a proof made with the item's token, and
//     a signature by a key that the hub knows (seal.go).
//   - A journal has one holder, whom the next one fences off, at last the coordinator; what is paid for is in it before it is
//     used; what a run has spent and leased is at most its cap.
//   - What fails on a machine is a fault: the item goes to another one, and after [MostDeliveries] into the dead letters
//     with its reason. A fault is never a result.
//   - Nothing is lost where a hub forgets: a coordinator looks for its open items and sends again what is nowhere.
//   - Parties of another build are refused by name: the same item must mean the same everywhere.
package fleet
