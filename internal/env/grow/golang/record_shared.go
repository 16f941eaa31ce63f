package golang

import "strings"

func (p *recordProject) settings() string {
	return fill(`// Package settings reads what the service is told by its environment.
package settings

// Settings are read once at the start.
type Settings struct {
	Address     string
	DataDir     string
	IdleSeconds int // of a session
	PageSize    int
	SigningKey  string
}

// Read takes the settings from the environment; what is missing has its usual value.
func Read() (Settings, error) {
	s := Settings{Address: "localhost:8080", DataDir: "data", IdleSeconds: 900, PageSize: 50}
	if v := os.Getenv("@PREFIX_ADDRESS"); v != "" {
		s.Address = v
	}
	if v := os.Getenv("@PREFIX_DATA"); v != "" {
		s.DataDir = v
	}
	for name, to := range map[string]*int{"@PREFIX_IDLE_SECONDS": &s.IdleSeconds, "@PREFIX_PAGE_SIZE": &s.PageSize} {
		v := os.Getenv(name)
		if v == "" {
			continue
		}
		n, err := strconv.Atoi(v)
		if err != nil {
			return Settings{}, fmt.Errorf("%s: %w", name, err)
		}
		if n < 1 || n > 100_000 {
			return Settings{}, fmt.Errorf("%s: %d is out of range", name, n)
		}
		*to = n
	}
	key := os.Getenv("@PREFIX_SIGNING_KEY")
	if key == "" {
		return Settings{}, errors.New("@PREFIX_SIGNING_KEY is not set")
	}
	s.SigningKey = key
	return s, nil
}

// Idle is how long a session may be without a request.
func (s Settings) Idle() time.Duration { return time.Duration(s.IdleSeconds) * time.Second }
`, "@PREFIX", strings.ToUpper(p.spec.Domain.Name))
}

func (p *recordProject) trail() string {
	return `// Package trail keeps a file of who changed what, one JSON object a line. Lines are only ever added.
package trail

// Entry is one change.
type Entry struct {
	At     int64  ` + "`json:\"at\"`" + ` // seconds since 1970
	Actor  string ` + "`json:\"actor\"`" + `
	Action string ` + "`json:\"action\"`" + `
	Record string ` + "`json:\"record\"`" + `
}

// Trail is an open file of changes. It is safe for concurrent use.
type Trail struct {
	mu    sync.Mutex
	file  *os.File
	lines int
}

// Open continues the trail at path, or begins it.
func Open(path string) (*Trail, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open trail: %w", err)
	}
	return &Trail{file: file}, nil
}

// Add writes an entry and makes sure that it reached the disk.
func (t *Trail) Add(e Entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode entry: %w", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, err := t.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write trail: %w", err)
	}
	t.lines++
	return t.file.Sync()
}

// Close ends the trail.
func (t *Trail) Close() error { return t.file.Close() }

// Read gives back the entries of one actor, all of them when actor is empty.
func Read(path, actor string) ([]Entry, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open trail: %w", err)
	}
	defer file.Close()
	var entries []Entry
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var e Entry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("line %d of the trail: %w", len(entries)+1, err)
		}
		if actor == "" || e.Actor == actor {
			entries = append(entries, e)
		}
	}
	return entries, lines.Err()
}
`
}

func (p *recordProject) memo() string {
	return fill(`// Package memo keeps answers that were dear to make for a while.
package memo

type kept struct {
	value any
	until time.Time
}

// Memo holds a bounded number of values. It is safe for concurrent use.
type Memo struct {
	life  time.Duration
	max   int
	clock func() time.Time

	mu     sync.RWMutex
	values map[string]kept
}

// New makes a memo of at most max values that are good for life each.
func New(max int, life time.Duration, clock func() time.Time) *Memo {
	return &Memo{max: max, life: life, clock: clock, values: map[string]kept{}}
}

// Get gives back a value that is still good.
func (m *Memo) Get(key string) (any, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	k, ok := m.values[key]
	if !ok || m.clock().After(k.until) {
		return nil, false
	}
	return k.value, true
}

// Put keeps a value. When the memo is full, one that is no longer good goes, or else any.
func (m *Memo) Put(key string, value any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.values[key]; !ok && len(m.values) >= m.max {
		m.makeRoom()
	}
	m.values[key] = kept{value: value, until: m.clock().Add(m.life)}
}

// PutNew keeps a value unless there is one already, and says whether it did.
func (m *Memo) PutNew(key string, value any) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.values[key]
	if ok && !m.clock().After(k.until) {
		return false
	}
	if !ok && len(m.values) >= m.max {
		m.makeRoom()
	}
	m.values[key] = kept{value: value, until: m.clock().Add(m.life)}
	return true
}

// makeRoom drops one value; m.mu is held.
func (m *Memo) makeRoom() {
	victim := ""
	for key, k := range m.values {
		victim = key
		if m.clock().After(k.until) {
			break
		}
	}
	delete(m.values, victim)
}

// CacheKey is a short name for the parts of a question about the @domain.
func CacheKey(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}
`, "@domain", p.spec.Domain.Name)
}

func (p *recordProject) memoTest() string {
	return `package memo

func TestMemo(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	m := New(2, time.Minute, func() time.Time { return now })
	m.Put("a", 1)
	if v, ok := m.Get("a"); !ok || v != 1 {
		t.Errorf("a is %v, %v", v, ok)
	}
	if m.PutNew("a", 2) {
		t.Error("a was kept twice")
	}
	now = now.Add(2 * time.Minute)
	if _, ok := m.Get("a"); ok {
		t.Error("a is still good")
	}
	for _, key := range []string{"b", "c", "d"} {
		m.Put(key, key)
	}
	if len(m.values) != 2 {
		t.Errorf("%d values, wanted 2", len(m.values))
	}
}

func TestCacheKey(t *testing.T) {
	if CacheKey("a", "b") == CacheKey("ab") {
		t.Error("the parts run together")
	}
}
`
}

func (p *recordProject) blobs() string {
	return `// Package blobs keeps uploaded documents as files below one directory.
package blobs

// MaxBytes is the largest document.
const MaxBytes = 8 << 20

// ErrName is returned for names that do not stay below the directory.
var ErrName = errors.New("bad document name")

// Dir is a directory of documents.
type Dir struct{ root string }

// Open makes the directory where it is missing.
func Open(root string) (*Dir, error) {
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, fmt.Errorf("documents: %w", err)
	}
	return &Dir{root: root}, nil
}

// Read gives back a document.
func (d *Dir) Read(name string) ([]byte, error) {
	if !filepath.IsLocal(name) {
		return nil, ErrName
	}
	file, err := os.Open(filepath.Join(d.root, name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, MaxBytes))
}

// Write replaces a document as a whole: readers see the old one or the new one.
func (d *Dir) Write(name string, body []byte) error {
	if !filepath.IsLocal(name) {
		return ErrName
	}
	if len(body) > MaxBytes {
		return fmt.Errorf("document of %d bytes is too large", len(body))
	}
	path := filepath.Join(d.root, name)
	part, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return fmt.Errorf("write document: %w", err)
	}
	defer os.Remove(part.Name()) // without effect once it is renamed
	if _, err := part.Write(body); err != nil {
		_ = part.Close() // the error above says more
		return fmt.Errorf("write document: %w", err)
	}
	if err := part.Close(); err != nil {
		return fmt.Errorf("write document: %w", err)
	}
	return os.Rename(part.Name(), path)
}
`
}

func (p *recordProject) limits() string {
	return `// Package limits slows down clients that ask too often.
package limits

type bucket struct {
	tokens float64
	seen   time.Time
}

// Limiter allows each client a number of requests a second, with bursts. It is safe for concurrent use.
type Limiter struct {
	rate  float64
	burst float64
	max   int
	clock func() time.Time

	mu      sync.Mutex
	clients map[string]*bucket
}

// New makes a limiter that remembers at most max clients.
func New(rate, burst float64, max int, clock func() time.Time) *Limiter {
	return &Limiter{rate: rate, burst: burst, max: max, clock: clock, clients: map[string]*bucket{}}
}

// Allow says whether a client may go on.
func (l *Limiter) Allow(client string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock()
	b, ok := l.clients[client]
	if !ok {
		if len(l.clients) >= l.max {
			l.forget(now)
		}
		b = &bucket{tokens: l.burst, seen: now}
		l.clients[client] = b
	}
	b.tokens = min(l.burst, b.tokens+now.Sub(b.seen).Seconds()*l.rate)
	b.seen = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// forget drops the client that was not heard of for the longest time; l.mu is held.
func (l *Limiter) forget(now time.Time) {
	quietest, longest := "", time.Duration(-1)
	for client, b := range l.clients {
		if quiet := now.Sub(b.seen); quiet > longest {
			quietest, longest = client, quiet
		}
	}
	delete(l.clients, quietest)
}
`
}

func (p *recordProject) notify() string {
	return fill(`// Package notify tells other services about changes, in signed messages.
package notify

// Message is what is sent.
type Message struct {
	Kind string @qjson:"kind"@q
	ID   int64  @qjson:"id"@q
	At   int64  @qjson:"at"@q // seconds since 1970
}

// Notifier sends messages to one address that the operator configured.
type Notifier struct {
	client *http.Client
	target string
	key    []byte
}

// New makes a notifier.
func New(client *http.Client, target string, key []byte) *Notifier {
	return &Notifier{client: client, target: target, key: key}
}

// Sign is the signature of a body: HMAC with SHA-256, in hexadecimal.
func Sign(key, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// Valid says whether a signature belongs to a body.
func Valid(key, body []byte, signature string) bool {
	given, err := hex.DecodeString(signature)
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	return hmac.Equal(given, mac.Sum(nil))
}

// Send hands over one message; any answer but success is an error.
func (n *Notifier) Send(ctx context.Context, m Message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, n.target, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("message to %s: %w", n.target, err)
	}
	r.Header.Set("X-@Domain-Signature", Sign(n.key, body))
	answer, err := n.client.Do(r)
	if err != nil {
		return fmt.Errorf("message to %s: %w", n.target, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return fmt.Errorf("message to %s: status %d", n.target, answer.StatusCode)
	}
	return nil
}
`, "@Domain", pascal(p.spec.Domain.Name))
}

func (p *recordProject) digest() string {
	return `// Package digest counts words and amounts for the daily mail.
package digest

// Line is one line of a digest.
type Line struct {
	Name  string
	Count int
	Cents int64
}

// Sum joins the lines of one name, in the order in which the names came first.
func Sum(lines []Line) []Line {
	var out []Line
	at := map[string]int{}
	for _, line := range lines {
		i, ok := at[line.Name]
		if !ok {
			i = len(out)
			at[line.Name] = i
			out = append(out, Line{Name: line.Name})
		}
		out[i].Count += line.Count
		out[i].Cents += line.Cents
	}
	return out
}

// Rising says whether the counts never fall from one line to the next.
func Rising(lines []Line) bool {
	for i := 1; i < len(lines); i++ {
		if lines[i].Count < lines[i-1].Count {
			return false
		}
	}
	return true
}

// Money writes cents as units with two digits.
func Money(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// Render writes a digest as text.
func Render(title string, lines []Line) string {
	var b strings.Builder
	title = strings.TrimSpace(title)
	b.WriteString(title + "\n" + strings.Repeat("=", len(title)) + "\n")
	for i := 0; i < len(lines); i++ {
		fmt.Fprintf(&b, "%3d. %-30s %6d %12s\n", i+1, lines[i].Name, lines[i].Count, Money(lines[i].Cents))
	}
	return b.String()
}
`
}
