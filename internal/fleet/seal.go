package fleet

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Headers of items and results.
const (
	headKey     = "Deeprepo-Key"
	headToken   = "Deeprepo-Token"  // of an item: who has it was handed the item
	headReply   = "Deeprepo-Reply"  // of an item: where its result goes, beside the stream of results
	headTrace   = "Deeprepo-Trace"  // of an item: the span that waits for it, as W3C's traceparent; not part of its key
	headObject  = "Deeprepo-Object" // the payload's name in the object store, where it is not in the message
	headStatus  = "Deeprepo-Status"
	headReason  = "Deeprepo-Reason"
	headHint    = "Deeprepo-Hint"
	headWorker  = "Deeprepo-Worker"
	headProof   = "Deeprepo-Proof"
	headSigner  = "Deeprepo-Signer"
	headSigned  = "Deeprepo-Signature"
	headSettled = "Deeprepo-Settled" // "no": another delivery may give another result
	headJournal = "Deeprepo-Journal" // digest of the item's journal, "" where it has none
)

// status says what a result's payload is.
type status string

const (
	statusDone status = "done" // the item's result
	statusDead status = "dead" // nobody could finish it: the reason
)

// result is what a worker says of an item.
type result struct {
	key, worker string
	status      status
	settled     bool // the same item gives the same again
	reason      string
	hint        string // what the user can do about the reason
	journal     string // digest of the item's journal
	body        []byte
	object      string // the body's name in the object store, "" where it is in the message
}

// digest is what is proven and signed.
func (r result) digest() []byte {
	h := sha256.New()
	settled := "yes"
	if !r.settled {
		settled = "no"
	}
	sum := sha256.Sum256(r.body)
	for _, part := range []string{r.key, r.worker, string(r.status), settled, r.reason, r.hint, r.journal, r.object, string(sum[:])} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return h.Sum(nil)
}

// proof shows that its maker has the item's token.
func (r result) proof(token string) []byte {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write(r.digest())
	return mac.Sum(nil)
}

// seal makes a message of a result, proven with the item's token and signed with the worker's key.
func (r result) seal(subject, token string, key nkeys.KeyPair) (*nats.Msg, error) {
	signer, err := key.PublicKey()
	if err != nil {
		return nil, err
	}
	proof := r.proof(token)
	signature, err := key.Sign(append(r.digest(), proof...))
	if err != nil {
		return nil, err
	}
	m := nats.NewMsg(subject)
	m.Data = r.body
	if r.object != "" {
		m.Data = nil
		m.Header.Set(headObject, r.object)
	}
	m.Header.Set(headKey, r.key)
	m.Header.Set(headWorker, r.worker)
	m.Header.Set(headStatus, string(r.status))
	m.Header.Set(headReason, base64.StdEncoding.EncodeToString([]byte(r.reason)))
	m.Header.Set(headHint, base64.StdEncoding.EncodeToString([]byte(r.hint)))
	if !r.settled {
		m.Header.Set(headSettled, "no")
	}
	if r.journal != "" {
		m.Header.Set(headJournal, r.journal)
	}
	m.Header.Set(headProof, hex.EncodeToString(proof))
	m.Header.Set(headSigner, signer)
	m.Header.Set(headSigned, base64.StdEncoding.EncodeToString(signature))
	return m, nil
}

// Why a result is not believed.
var (
	errForged   = errors.New("the result is not signed by a worker of this fleet")
	errNoResult = errors.New("there is no result")
)

// opened reads a result whose signature is good. body is the payload, already fetched where it was not in the message.
// Messages are hostile: whoever may publish on a subject chooses every header.
func opened(h nats.Header, body []byte, signers []string) (result, []byte, error) {
	r := result{key: h.Get(headKey), worker: h.Get(headWorker), status: status(h.Get(headStatus)),
		settled: h.Get(headSettled) != "no", body: body, object: h.Get(headObject),
		journal: h.Get(headJournal)}
	reason, err1 := base64.StdEncoding.DecodeString(h.Get(headReason))
	advice, err2 := base64.StdEncoding.DecodeString(h.Get(headHint))
	proof, err3 := hex.DecodeString(h.Get(headProof))
	signature, err4 := base64.StdEncoding.DecodeString(h.Get(headSigned))
	if errors.Join(err1, err2, err3, err4) != nil || r.status != statusDone && r.status != statusDead {
		return result{}, nil, errForged
	}
	r.reason, r.hint = string(reason), string(advice)
	signer := h.Get(headSigner)
	if len(signers) > 0 && !slices.Contains(signers, signer) {
		return result{}, nil, errForged
	}
	public, err := nkeys.FromPublicKey(signer)
	if err != nil || public.Verify(append(r.digest(), proof...), signature) != nil {
		return result{}, nil, errForged
	}
	return r, proof, nil
}

// of reports that a result was made by who had the item's token.
func (r result) of(token string, proof []byte) bool { return hmac.Equal(r.proof(token), proof) }
