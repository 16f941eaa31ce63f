package golang

import (
	"fmt"
	"strings"
)

func (p *relayProject) pump() string {
	return `package relay

// Plugin handles the messages of one topic.
type Plugin interface {
	Topic() string
	Handle(ctx context.Context, m Message) error
}

// Pump feeds plugins from a queue.
type Pump struct {
	queue   *Queue
	patient time.Duration
	most    int

	gate    sync.RWMutex
	plugins map[string]Plugin
}

// Option changes how a Pump works.
type Option func(*Pump)

// Patience is how long one message may take.
func Patience(d time.Duration) Option { return func(p *Pump) { p.patient = d } }

// Tries is how often a message is tried.
func Tries(n int) Option { return func(p *Pump) { p.most = n } }

// NewPump makes a pump over a queue.
func NewPump(queue *Queue, options ...Option) *Pump {
	p := &Pump{queue: queue, patient: 10 * time.Second, most: 3, plugins: make(map[string]Plugin)}
	for _, set := range options {
		set(p)
	}
	return p
}

// Register adds a plugin; a later one of the same topic replaces it.
func (p *Pump) Register(plugin Plugin) {
	p.gate.Lock()
	defer p.gate.Unlock()
	p.plugins[plugin.Topic()] = plugin
}

// Topics lists what is handled.
func (p *Pump) Topics() []string {
	p.gate.RLock()
	defer p.gate.RUnlock()
	return slices.Sorted(maps.Keys(p.plugins))
}

// Step handles one message that is due and says whether there was one.
func (p *Pump) Step(ctx context.Context) (bool, error) {
	m, ok := p.queue.Pull()
	if !ok {
		return false, nil
	}
	p.gate.RLock()
	plugin := p.plugins[m.Topic]
	p.gate.RUnlock()
	if plugin == nil {
		return true, fmt.Errorf("message %d about %q: %w", m.Number, m.Topic, ErrTopic)
	}
	ctx, cancel := context.WithTimeout(ctx, p.patient)
	defer cancel()
	if err := plugin.Handle(ctx, m); err != nil {
		if p.queue.Again(m, p.most, p.patient) {
			return true, nil
		}
		return true, fmt.Errorf("give up message %d: %w", m.Number, err)
	}
	return true, nil
}

// Drain steps until nothing is due.
func (p *Pump) Drain(ctx context.Context) error {
	for ctx.Err() == nil {
		busy, err := p.Step(ctx)
		if errors.Is(err, ErrTopic) {
			log.Print(err)
			continue
		}
		if err != nil || !busy {
			return err
		}
	}
	return ctx.Err()
}
`
}

func (p *relayProject) main() string {
	var register strings.Builder
	for _, t := range capped(p.topics()) {
		fmt.Fprintf(&register, "\tpump.Register(plugs.New%s())\n", t.Type)
	}
	return fill(`// Command relay reads sealed lines from its input and feeds the plugins.
package main

func main() {
	room := flag.Int("room", 1000, "messages that may wait")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := serve(ctx, *room); err != nil {
		log.Print(err)
		stop()
		os.Exit(1)
	}
}

func serve(ctx context.Context, room int) error {
	sealer, err := relay.NewSealer([]byte(os.Getenv("RELAY_KEY")))
	if err != nil {
		return fmt.Errorf("RELAY_KEY: %w", err)
	}
	queue := relay.NewQueue(room, time.Now)
	pump := relay.NewPump(queue, relay.Tries(5))
@register	count, err := relay.Pour(os.Stdin, sealer, queue)
	if err != nil {
		return fmt.Errorf("after %d messages: %w", count, err)
	}
	return pump.Drain(ctx)
}
`, "@register", register.String())
}

func (p *relayProject) outlet() string {
	return `// Package outlet hands messages on to other hosts, those of a fixed list only.
package outlet

// ErrHost is returned for addresses that nothing may be sent to.
var ErrHost = errors.New("host is not on the list")

// Outlet posts messages.
type Outlet struct {
	web   *http.Client
	hosts []string
}

// New makes an outlet to the hosts given. Redirects are not followed: they could lead anywhere.
func New(patience time.Duration, hosts ...string) *Outlet {
	transport := &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}, MaxIdleConnsPerHost: 4}
	return &Outlet{
		hosts: slices.Clone(hosts),
		web: &http.Client{Transport: transport, Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}
}

// Target reads an address and makes sure that it may be used.
func (o *Outlet) Target(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("read address: %w", err)
	}
	if u.Scheme != "https" || !slices.Contains(o.hosts, u.Hostname()) {
		return nil, fmt.Errorf("address %q: %w", u.Redacted(), ErrHost)
	}
	return u, nil
}

// Post sends one message.
func (o *Outlet) Post(ctx context.Context, address string, m relay.Message) error {
	u, err := o.Target(address)
	if err != nil {
		return err
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(m.Encode()))
	if err != nil {
		return fmt.Errorf("post message %d: %w", m.Number, err)
	}
	back, err := o.web.Do(q)
	if err != nil {
		return fmt.Errorf("post message %d: %w", m.Number, err)
	}
	defer back.Body.Close()
	note, err := io.ReadAll(io.LimitReader(back.Body, 4096))
	if err != nil {
		return fmt.Errorf("read answer to message %d: %w", m.Number, err)
	}
	if back.StatusCode >= 300 {
		return fmt.Errorf("post message %d: status %d, %q", m.Number, back.StatusCode, note)
	}
	return nil
}
`
}

func (p *relayProject) fan() string {
	return `package outlet

// Fan posts messages to several addresses.
type Fan struct {
	outlet    *Outlet
	addresses []string
}

// NewFan makes a fan over an outlet.
func NewFan(outlet *Outlet, addresses ...string) *Fan {
	return &Fan{outlet: outlet, addresses: slices.Clone(addresses)}
}

// Usable splits the addresses into those that may be used and those that may not.
func (f *Fan) Usable() (usable, refused []string, err error) {
	for _, address := range f.addresses {
		_, err := f.outlet.Target(address)
		switch {
		case errors.Is(err, ErrHost):
			refused = append(refused, address)
		case err != nil:
			return nil, nil, err
		default:
			usable = append(usable, address)
		}
	}
	return usable, refused, nil
}

// Post sends the messages in the order in which they are due, and ends with the first one that nobody took.
func (f *Fan) Post(ctx context.Context, messages []relay.Message) error {
	usable, _, err := f.Usable()
	if err != nil {
		return err
	}
	for _, m := range relay.ByDue(messages) {
		if err := f.one(ctx, usable, m); err != nil {
			return err
		}
	}
	return nil
}

func (f *Fan) one(ctx context.Context, addresses []string, m relay.Message) error {
	var faults []error
	for _, address := range addresses {
		err := f.outlet.Post(ctx, address, m)
		if err == nil {
			return nil
		}
		faults = append(faults, err)
	}
	return fmt.Errorf("nobody took message %d: %w", m.Number, errors.Join(faults...))
}
`
}

func (p *relayProject) outletTest() string {
	return `package outlet

func TestTarget(t *testing.T) {
	o := New(time.Second, "hooks.example.org")
	if _, err := o.Target("https://hooks.example.org/in"); err != nil {
		t.Error(err)
	}
	for _, address := range []string{"http://hooks.example.org/", "https://localhost/", "https://hooks.example.org.evil.example/"} {
		if _, err := o.Target(address); !errors.Is(err, ErrHost) {
			t.Errorf("%s gives %v", address, err)
		}
	}
}
`
}

func (p *relayProject) vault() string {
	return `// Package vault keeps what was delivered in files, packed once they are complete.
package vault

// Vault is a directory of files, one a day.
type Vault struct{ dir string }

// New uses a directory that exists.
func New(dir string) Vault { return Vault{dir: dir} }

// Save writes the messages of one day. The file is complete when Save returns without an error.
func (v Vault) Save(day time.Time, messages []relay.Message) (err error) {
	path := filepath.Join(v.dir, day.UTC().Format("2006-01-02")+".log")
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("create day file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	out := bufio.NewWriter(f)
	for _, m := range messages {
		if _, err := out.WriteString(m.Encode() + "\n"); err != nil {
			return fmt.Errorf("write message %d: %w", m.Number, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write day file: %w", err)
	}
	return nil
}

// Pack compresses a file of the vault in place.
func (v Vault) Pack(ctx context.Context, name string) error {
	if !filepath.IsLocal(name) {
		return fmt.Errorf("pack %q: not a name of the vault", name)
	}
	return gzip(ctx, filepath.Join(v.dir, name))
}

func gzip(ctx context.Context, path string) error {
	report, err := exec.CommandContext(ctx, "gzip", "-f", "--", path).CombinedOutput()
	if err != nil {
		return fmt.Errorf("pack: %w: %s", err, bytes.TrimSpace(report))
	}
	return nil
}

// Newest lists the day files, the newest first.
func (v Vault) Newest() ([]string, error) {
	names, err := filepath.Glob(filepath.Join(v.dir, "*.log"))
	if err != nil {
		return nil, fmt.Errorf("list vault: %w", err)
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(b, a) })
	return names, nil
}
`
}

func (p *relayProject) pacing() string {
	return `// Package pacing decides how long to wait between tries.
package pacing

// Delay doubles from first on with every try, up to most.
func Delay(try int, first, most time.Duration) time.Duration {
	delay := first
	for range try {
		if delay >= most/2 {
			return most
		}
		delay *= 2
	}
	return min(delay, most)
}

// Wait pauses, or ends early with the context's error.
func Wait(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}

// Retry calls work until it succeeds, at most tries times.
func Retry(ctx context.Context, tries int, first time.Duration, work func(context.Context) error) error {
	for try := 0; ; try++ {
		err := work(ctx)
		if err == nil {
			return nil
		}
		if try+1 >= tries {
			return fmt.Errorf("after %d tries: %w", try+1, err)
		}
		if err := Wait(ctx, Delay(try, first, time.Minute)); err != nil {
			return err
		}
	}
}
`
}

func (p *relayProject) tags() string {
	return `package relay

// Tags are words about topics, shared by everybody.
type Tags struct {
	gate  sync.RWMutex
	words map[string][]string
}

// NewTags knows no words yet.
func NewTags() *Tags { return &Tags{words: make(map[string][]string)} }

// Add puts a word on a topic.
func (t *Tags) Add(topic, word string) {
	t.gate.Lock()
	defer t.gate.Unlock()
	if !slices.Contains(t.words[topic], word) {
		t.words[topic] = append(t.words[topic], word)
	}
}

// Drop takes a word off a topic.
func (t *Tags) Drop(topic, word string) {
	t.gate.Lock()
	defer t.gate.Unlock()
	t.words[topic] = slices.DeleteFunc(t.words[topic], func(w string) bool { return w == word })
}

// Of lists the words of a topic.
func (t *Tags) Of(topic string) []string {
	t.gate.RLock()
	defer t.gate.RUnlock()
	return slices.Clone(t.words[topic])
}

// Line writes a list for people: a, b and c.
func Line(words []string) string {
	var b strings.Builder
	for i, word := range words {
		switch {
		case i > 0 && i == len(words)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(word)
	}
	return b.String()
}
`
}
