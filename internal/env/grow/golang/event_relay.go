package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// eventRelay takes messages in, queues them, and hands them to plugins and outlets.
func eventRelay() grow.Template {
	return grow.Template{
		Name: "go/event-relay", Language: "go", Split: "heldout",
		About: "an event relay: sealed messages, a queue, one plugin a topic, outlets to other hosts",
		Grow: func(s grow.Spec) map[string]string {
			w := newWriter(s, []string{
				"bufio", "bytes", "cmp", "context", "crypto/hmac", "crypto/sha256", "crypto/tls", "encoding/base64", "encoding/json", "errors", "flag", "fmt", "io", "log", "maps",
				"net/http", "net/url", "os", "os/exec", "os/signal", "path/filepath", "slices", "strconv", "strings", "sync", "testing", "time",
			}, []string{"relay", "plugs", "views", "intake", "outlet", "vault", "pacing"})
			p := &relayProject{writer: w, all: things(s.Domain.Entities(w.r, 2+s.Files/3))}
			p.plan()
			return w.files()
		},
	}
}

type relayProject struct {
	*writer
	all []thing
}

func (p *relayProject) plan() {
	p.add("go.mod", func() string { return "module " + p.module + "\n\ngo 1.24\n" })
	p.add("README.md", p.readme)
	p.add("relay/message.go", p.message)
	p.add("relay/queue.go", p.queue)
	p.add("relay/seal.go", p.seal)
	p.plug(p.all[0])
	p.add("relay/relay_test.go", p.relayTest)
	p.add("relay/pump.go", p.pump)
	p.add("cmd/relay/main.go", p.main)
	shared := []func(){
		func() { p.add("outlet/outlet.go", p.outlet) },
		func() { p.add("vault/vault.go", p.vault) },
		func() { p.add("pacing/pacing.go", p.pacing) },
		func() { p.add("outlet/fan.go", p.fan) },
		func() { p.add("outlet/outlet_test.go", p.outletTest) },
		func() { p.add("relay/tags.go", p.tags) },
	}
	for i := 0; !p.full(); i++ {
		t := p.all[i]
		if i > 0 {
			p.plug(t)
		}
		for range 2 {
			if len(shared) > 0 {
				shared[0]()
				shared = shared[1:]
			}
		}
		extra := []func(thing){p.view, p.feed, p.plugTest}
		p.r.Shuffle(len(extra), func(a, b int) { extra[a], extra[b] = extra[b], extra[a] })
		for _, add := range extra[:2+p.r.IntN(2)] {
			add(t)
		}
	}
}

func (p *relayProject) fillThing(t thing, text string, pairs ...string) string {
	return p.vary(fill(text, append(pairs,
		"@Many", t.Many, "@many", strings.ReplaceAll(t.Table, "_", " "), "@Type", t.Type, "@var", t.Var, "@topic", strings.ReplaceAll(t.Name, "_", "."), "@words", t.Human,
		"@Label", t.label().Go, "@label", t.label().Name, "@domain", p.spec.Domain.Name)...))
}

func (p *relayProject) plug(t thing) {
	p.add("plugs/"+t.File+".go", func() string { return p.plugText(t) })
}

func (p *relayProject) topics() []thing {
	var out []thing
	for _, t := range p.all {
		if p.planned("plugs/" + t.File + ".go") {
			out = append(out, t)
		}
	}
	return out
}

func (p *relayProject) readme() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\nPasses messages of the %s on to whoever handles their topic.\n\n", p.spec.Name, strings.Repeat("=", len(p.spec.Name)), p.spec.Domain.Name)
	b.WriteString("    sealed line -> relay.Sealer -> relay.Queue -> relay.Pump -> plugin of the topic\n\nTopics\n------\n\n")
	for _, t := range capped(p.topics()) {
		fmt.Fprintf(&b, "* %s\n", strings.ReplaceAll(t.Name, "_", "."))
	}
	b.WriteString("\nRules of the house\n------------------\n\n* A message that was not sealed with our key never reaches a plugin.\n* Bounds are half open: the end is not part of them.\n* Lists of messages are sorted by when they are due, the earliest first.\n")
	return b.String()
}

func (p *relayProject) message() string {
	return fill(`// Package relay moves messages from where they arrive to the plugins that handle them.
package relay

// What can be wrong with a message. Callers compare with errors.Is.
var (
	ErrMalformed = errors.New("malformed message")
	ErrFull      = errors.New("queue is full")
	ErrSeal      = errors.New("seal does not fit")
	ErrTopic     = errors.New("nobody handles the topic")
)

// Message is one notice of the @domain on its way.
type Message struct {
	Number  uint64
	Topic   string
	Tries   int
	Due     time.Time
	Payload json.RawMessage
}

// Decode reads what Encode wrote: number, topic, tries, due time in milliseconds, payload, with bars between them.
func Decode(line string) (Message, error) {
	cells := strings.SplitN(line, "|", 5)
	if len(cells) != 5 || cells[1] == "" {
		return Message{}, fmt.Errorf("decode line of %d cells: %w", len(cells), ErrMalformed)
	}
	number, err := strconv.ParseUint(cells[0], 10, 64)
	if err != nil {
		return Message{}, fmt.Errorf("decode number %q: %w", cells[0], ErrMalformed)
	}
	tries, err := strconv.Atoi(cells[2])
	if err != nil {
		return Message{}, fmt.Errorf("decode tries %q: %w", cells[2], ErrMalformed)
	}
	due, err := strconv.ParseInt(cells[3], 10, 64)
	if err != nil {
		return Message{}, fmt.Errorf("decode due time %q: %w", cells[3], ErrMalformed)
	}
	payload := json.RawMessage(cells[4])
	if tries < 0 || !json.Valid(payload) {
		return Message{}, fmt.Errorf("decode message %d: %w", number, ErrMalformed)
	}
	return Message{Number: number, Topic: cells[1], Tries: tries, Due: time.UnixMilli(due), Payload: payload}, nil
}

// Encode writes a message as one line. Topics hold no bars.
func (m Message) Encode() string {
	var line strings.Builder
	line.WriteString(strconv.FormatUint(m.Number, 10))
	line.WriteString("|")
	line.WriteString(m.Topic)
	fmt.Fprintf(&line, "|%d|%d|", m.Tries, m.Due.UnixMilli())
	line.Write(m.Payload)
	return line.String()
}

// ByDue gives the messages in the order in which they are due, the earliest first. Its argument stays as it is.
func ByDue(messages []Message) []Message {
	ordered := slices.Clone(messages)
	slices.SortFunc(ordered, func(a, b Message) int {
		return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Number, b.Number))
	})
	return ordered
}

// Span is where a page lies in a list of total elements. Pages count from 0; one behind
// the end is empty.
func Span(page, size, total int) (from, to int) {
	if page < 0 || size < 1 || page > total/size {
		return total, total
	}
	from = page * size
	to = min(from+size, total)
	return from, to
}
`, "@domain", p.spec.Domain.Name)
}

func (p *relayProject) queue() string {
	return `package relay

// Queue holds the messages that wait. All methods may be called at once.
type Queue struct {
	limit int
	now   func() time.Time

	gate    sync.RWMutex
	waiting map[uint64]Message
	dropped map[string]int
}

// NewQueue makes room for limit messages.
func NewQueue(limit int, now func() time.Time) *Queue {
	return &Queue{limit: limit, now: now, waiting: make(map[uint64]Message), dropped: make(map[string]int)}
}

// Push lets a message wait. It fails with ErrFull when there is no room.
func (q *Queue) Push(m Message) error {
	q.gate.Lock()
	defer q.gate.Unlock()
	if len(q.waiting) >= q.limit {
		return fmt.Errorf("push message %d: %w", m.Number, ErrFull)
	}
	q.waiting[m.Number] = m
	return nil
}

// Pull takes out the message that is due first, if one is due.
func (q *Queue) Pull() (Message, bool) {
	q.gate.Lock()
	defer q.gate.Unlock()
	ordered := ByDue(slices.Collect(maps.Values(q.waiting)))
	if len(ordered) == 0 || ordered[0].Due.After(q.now()) {
		return Message{}, false
	}
	delete(q.waiting, ordered[0].Number)
	return ordered[0], true
}

// Again lets a message that failed wait for another try after pause. After the last of most tries it is dropped, and
// Again says false.
func (q *Queue) Again(m Message, most int, pause time.Duration) bool {
	m.Tries++
	m.Due = q.now().Add(pause)
	q.gate.Lock()
	defer q.gate.Unlock()
	if m.Tries >= most {
		q.dropped[m.Topic]++
		return false
	}
	q.waiting[m.Number] = m
	return true
}

// Dropped is how many messages of each topic were given up. The map is the caller's own.
func (q *Queue) Dropped() map[string]int {
	q.gate.RLock()
	defer q.gate.RUnlock()
	return maps.Clone(q.dropped)
}

// Page is one page of what waits, in the order of the due times.
func (q *Queue) Page(page, size int) []Message {
	q.gate.RLock()
	ordered := ByDue(slices.Collect(maps.Values(q.waiting)))
	q.gate.RUnlock()
	from, to := Span(page, size, len(ordered))
	return ordered[from:to]
}
`
}

func (p *relayProject) seal() string {
	return `package relay

// Sealer marks lines with a keyed sum, so that nobody without the key can slip in messages.
type Sealer struct{ key []byte }

// NewSealer takes the key, which must have 16 bytes or more.
func NewSealer(key []byte) (Sealer, error) {
	if len(key) < 16 {
		return Sealer{}, fmt.Errorf("sealing key of %d bytes: %w", len(key), ErrSeal)
	}
	return Sealer{key: bytes.Clone(key)}, nil
}

func (s Sealer) sum(text string) []byte {
	mac := hmac.New(sha256.New, s.key)
	io.WriteString(mac, text) // a hash never fails
	return mac.Sum(nil)
}

// Seal puts the mark in front of a line.
func (s Sealer) Seal(line string) string {
	return base64.RawURLEncoding.EncodeToString(s.sum(line)) + " " + line
}

// fits says whether a mark belongs to a line.
func (s Sealer) fits(mark, line string) bool {
	given, err := base64.RawURLEncoding.DecodeString(mark)
	return err == nil && hmac.Equal(given, s.sum(line))
}

// Open checks the mark and reads the message behind it. Whoever calls it may trust what comes back.
func (s Sealer) Open(sealed string) (Message, error) {
	mark, line, found := strings.Cut(sealed, " ")
	if !found {
		return Message{}, fmt.Errorf("open line without a mark: %w", ErrMalformed)
	}
	if !s.fits(mark, line) {
		return Message{}, fmt.Errorf("open line: %w", ErrSeal)
	}
	return Decode(line)
}

// Pour opens every line of a stream and pushes what it holds. It stops at the first line that is not right, and gives
// back how many went in; a full queue ends it without an error.
func Pour(from io.Reader, s Sealer, q *Queue) (int, error) {
	in := bufio.NewScanner(from)
	count := 0
	for in.Scan() {
		m, err := s.Open(in.Text())
		if err != nil {
			return count, err
		}
		if err := q.Push(m); errors.Is(err, ErrFull) {
			return count, nil
		} else if err != nil {
			return count, err
		}
		count++
	}
	return count, in.Err()
}
`
}

func (p *relayProject) relayTest() string {
	return `package relay

func TestRoundTrip(t *testing.T) {
	s, err := NewSealer([]byte("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	sent := Message{Number: 7, Topic: "a", Due: time.UnixMilli(5), Payload: []byte("{}")}
	got, err := s.Open(s.Seal(sent.Encode()))
	if err != nil || got.Number != 7 || got.Topic != "a" {
		t.Fatalf("%v, %v", got, err)
	}
	if _, err := s.Open("AAAA " + sent.Encode()); !errors.Is(err, ErrSeal) {
		t.Fatalf("a wrong mark gives %v", err)
	}
}

func TestQueueOrder(t *testing.T) {
	q := NewQueue(2, func() time.Time { return time.UnixMilli(100) })
	for _, m := range []Message{{Number: 1, Due: time.UnixMilli(9)}, {Number: 2, Due: time.UnixMilli(3)}} {
		if err := q.Push(m); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Push(Message{Number: 3}); !errors.Is(err, ErrFull) {
		t.Fatalf("a third message gives %v", err)
	}
	if m, ok := q.Pull(); !ok || m.Number != 2 {
		t.Fatalf("%v comes first", m)
	}
}

func TestSpan(t *testing.T) {
	for _, c := range []struct{ page, size, total, from, to int }{{0, 2, 5, 0, 2}, {2, 2, 5, 4, 5}, {3, 2, 5, 5, 5}} {
		if from, to := Span(c.page, c.size, c.total); from != c.from || to != c.to {
			t.Errorf("%v: %d to %d", c, from, to)
		}
	}
}
`
}
