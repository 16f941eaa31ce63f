package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
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
	mostVerdict = 64 << 10
	// keptVerdicts is how many a hub keeps, the latest: each takes some of its memory.
	keptVerdicts = 1_000_000
	// mostWait bounds looking for verdicts: then programs are run.
	mostWait = 2 * time.Second
)

// settled says that a judgement is the program's own: another machine comes to the same.
func settled(p sandbox.Program, j sandbox.Judgement) bool {
	switch {
	case j.Verdict == sandbox.InfraError || !slices.Contains(sandbox.Verdicts(), j.Verdict):
		return false
	case j.Verdict == sandbox.Timeout: // a faster machine may say something else where time ended it, and not its steps
		wall := cmp.Or(p.Limits.Wall, 10*time.Second)
		return j.Wall < wall-wall/50
	}
	return true
}

// verdictKey is what a program's verdict is known by: the program, its tests and limits, and the build that judges.
func (c *Conn) verdictKey(p sandbox.Program) string {
	return keyOf("program", c.state.Build, []byte(p.Digest()))
}

// verdicts are those that the fleet knows of some programs, by their keys. A hub that does not answer knows none.
func (c *Conn) verdicts(ctx context.Context, programs []sandbox.Program) map[string]sandbox.Judgement {
	known, by := map[string]sandbox.Judgement{}, map[string]sandbox.Program{}
	var ask struct {
		Subjects []string `json:"multi_last"`
	}
	for _, p := range programs {
		key := c.verdictKey(p)
		by[key] = p
		ask.Subjects = append(ask.Subjects, verdictSubject+key)
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
		if p, asked := by[key]; ok && asked && settled(p, j) {
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

// keepVerdict gives a verdict to all workers. It is not waited for: one that the hub does not get is found out again.
func (c *Conn) keepVerdict(key, worker string, j sandbox.Judgement) {
	body, err := json.Marshal(j)
	if err != nil || len(body) > mostVerdict {
		return
	}
	m, err := result{key: key, worker: worker, status: statusDone, settled: true, body: body}.seal(verdictSubject+key, "", c.key)
	if err == nil {
		_ = c.nc.PublishMsg(m)
	}
}
