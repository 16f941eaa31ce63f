package fleet

import (
	"context"
	"encoding/json"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/nats-io/nats.go"
)

// A fleet's verdicts: a program that was judged is known again in whatever batch it comes, by all that decides its judgement
// (see verdictKey). A worker asks for all programs of a batch at once, and runs those that nobody knows.
//
// Unlike models' replies (replies.go), which are believed as they stand, a verdict is sealed as a result is, under a key that no
// item can have: it counts only where a worker signed it that the hub knows today, since it decides scores of other runs. No
// token proves that its maker was handed the program, which other runs could not check: what a worker of the fleet says of a
// program it may say of any.

const (
	// worthKeeping is what a program must have taken: less is judged again as fast as it is looked up.
	worthKeeping = time.Millisecond
	// mostVerdict is the largest judgement that is kept, in bytes: others are judged again.
	mostVerdict = 8 << 10
	// mostSealed is the largest message with one.
	mostSealed = mostVerdict + 2<<10
	// keptVerdicts is how many a hub keeps of each tenant, the latest: each takes some 250 bytes of its memory.
	keptVerdicts = 250_000
	// mostWait bounds what a batch waits for the memory: then programs are run, and their verdicts are not known.
	mostWait = 2 * time.Second
)

// verdictKey is what a program's verdict is known by: the program, its tests and limits, and the build that judges.
func (c *Conn) verdictKey(p sandbox.Program) string {
	return keyOf("program", c.state.Build, []byte(p.Digest()))
}

// verdicts are those that the fleet knows of some programs, by their keys. A hub that does not answer knows none.
func (c *Conn) verdicts(ctx context.Context, programs []sandbox.Program, keys []string) map[string]sandbox.Judgement {
	known, by := map[string]sandbox.Judgement{}, map[string]sandbox.Program{}
	var ask struct {
		Subjects []string `json:"multi_last"`
	}
	for n, p := range programs {
		by[keys[n]] = p
		ask.Subjects = append(ask.Subjects, verdictSubject+keys[n])
	}
	text, err := json.Marshal(ask)
	if err != nil {
		return known
	}
	ctx, cancel := c.within(ctx, mostWait)
	defer cancel()
	inbox := c.nc.NewInbox()
	heard, err := c.nc.SubscribeSync(inbox)
	if err != nil {
		return known
	}
	defer func() { _ = heard.Unsubscribe() }()
	if c.nc.PublishRequest("$JS.API.DIRECT.GET."+verdictStream, inbox, text) != nil {
		return known
	}
	var signers []string
	for n := range 2 * len(programs) {
		m, err := heard.NextMsgWithContext(ctx)
		if err != nil || m.Header.Get("Status") != "" { // the last one says that there is no more
			break
		}
		if n == 0 {
			signers = c.signers(ctx)
		}
		key, j, ok := verdictOf(m.Header, m.Data, signers)
		if p, asked := by[key]; ok && asked && p.Settled(j) {
			known[key] = j
		}
	}
	return known
}

// verdictOf reads a verdict that one of these signed: anybody's, where there are none. Messages are hostile (see opened).
func verdictOf(h nats.Header, data []byte, signers []string) (key string, j sandbox.Judgement, ok bool) {
	r, _, err := opened(h, data, signers)
	if err != nil || r.status != statusDone || !r.settled || bounded.Unmarshal(data, &j) != nil {
		return "", sandbox.Judgement{}, false
	}
	return r.key, j, true
}

// sealVerdict is a verdict for all workers, nil where it is too large.
func (c *Conn) sealVerdict(key, worker string, j sandbox.Judgement) *nats.Msg {
	body, err := json.Marshal(j)
	if err != nil || len(body) > mostVerdict {
		return nil
	}
	m, err := result{key: key, worker: worker, status: statusDone, settled: true, body: body}.seal(verdictSubject+key, "", c.key)
	if err != nil {
		return nil
	}
	return m
}

// keepVerdicts gives a batch's verdicts to all workers. It waits for the hub to have the last one, so that no slot has more than
// a batch on its way: a hub drops what it cannot take in. What it does not get is found out again.
func (c *Conn) keepVerdicts(ctx context.Context, fresh []*nats.Msg) {
	if len(fresh) == 0 {
		return
	}
	last := len(fresh) - 1
	for _, m := range fresh[:last] {
		_ = c.nc.PublishMsg(m)
	}
	ctx, cancel := c.within(ctx, mostWait)
	defer cancel()
	_, _ = c.js.PublishMsg(ctx, fresh[last])
}
