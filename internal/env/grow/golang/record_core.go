package golang

import (
	"fmt"
	"strings"
)

func (p *recordProject) records() string {
	return fill(`// Package records keeps the @domain's records in a SQL database and decides who may change them.
package records

var (
	// ErrNotFound is returned for a record that does not exist.
	ErrNotFound = errors.New("record not found")
	// ErrForbidden is returned when the account may not change a record.
	ErrForbidden = errors.New("not allowed for this account")
	// ErrInvalid is wrapped by everything that is wrong with a record's fields.
	ErrInvalid = errors.New("invalid record")
)

// Account is who asks for something.
type Account struct {
	Name  string
	Admin bool
}

// Stamp is a moment as records keep it.
func Stamp(t time.Time) int64 { return t.Unix() }

// inTx runs work in a transaction that is kept only when work succeeds.
func inTx(ctx context.Context, db *sql.DB, work func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback() // without effect once the transaction is committed
	if err := work(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// CleanText makes one line of a text, without white space around it.
func CleanText(text string) string {
	text = strings.TrimSpace(text)
	return strings.ReplaceAll(text, "\n", " ")
}

// joinWords writes a list of words into one column.
func joinWords(words []string) string { return strings.Join(words, ",") }

// splitWords reads a column that joinWords wrote.
func splitWords(column string) []string {
	if column == "" {
		return nil
	}
	return strings.Split(column, ",")
}
`, "@domain", p.spec.Domain.Name)
}

func (p *recordProject) gate() string {
	return fill(`// Package api serves the records over HTTP.
package api

// maxBody bounds the bodies of requests, in bytes.
const maxBody = 1 << 20

type session struct {
	account records.Account
	ends    time.Time
}

// Gate knows who is logged in. It is safe for concurrent use.
type Gate struct {
	clock    func() time.Time
	adminKey string
	life     time.Duration
	max      int

	mu       sync.Mutex
	sessions map[string]session
}

// NewGate makes a gate with at most max sessions, each of which ends after life.
func NewGate(adminKey string, life time.Duration, max int, clock func() time.Time) *Gate {
	return &Gate{adminKey: adminKey, life: life, max: max, clock: clock, sessions: map[string]session{}}
}

// IsAdmin says whether a key is the administrators' key.
func (g *Gate) IsAdmin(key string) bool {
	return g.adminKey != "" && subtle.ConstantTimeCompare([]byte(key), []byte(g.adminKey)) == 1
}

// Open starts a session and returns its token.
func (g *Gate) Open(account records.Account) (string, error) {
	raw := make([]byte, 24)
	if _, err := rand.Read(raw); err != nil {
		return "", fmt.Errorf("session token: %w", err)
	}
	token := hex.EncodeToString(raw)
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.sessions) >= g.max {
		g.dropOldest()
	}
	g.sessions[token] = session{account: account, ends: g.clock().Add(g.life)}
	return token, nil
}

// dropOldest forgets the session that ends first; g.mu is held.
func (g *Gate) dropOldest() {
	oldest, first := "", true
	for token, s := range g.sessions {
		if first || s.ends.Before(g.sessions[oldest].ends) {
			oldest, first = token, false
		}
	}
	delete(g.sessions, oldest)
}

// Close ends a session.
func (g *Gate) Close(token string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.sessions, token)
}

// Account is who a request comes from.
func (g *Gate) Account(r *http.Request) (records.Account, bool) {
	token := r.Header.Get("Authorization")
	if !strings.HasPrefix(token, "Bearer ") {
		return records.Account{}, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	s, ok := g.sessions[strings.TrimPrefix(token, "Bearer ")]
	if !ok || g.clock().After(s.ends) {
		return records.Account{}, false
	}
	return s.account, true
}

// Login starts a session for an administrator, who sends the key.
func (g *Gate) Login(w http.ResponseWriter, r *http.Request) {
	name := records.CleanText(r.Header.Get("X-Name"))
	if name == "" || !g.IsAdmin(r.Header.Get("X-Key")) {
		http.Error(w, "wrong name or key", http.StatusUnauthorized)
		return
	}
	token, err := g.Open(records.Account{Name: name, Admin: true})
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, r, map[string]string{"token": token})
}

// etag names the content of an answer.
func etag(body []byte) string {
	sum := sha256.Sum256(body)
	return "\"" + hex.EncodeToString(sum[:8]) + "\""
}

func writeJSON(w http.ResponseWriter, r *http.Request, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	tag := etag(body)
	if r.Method == http.MethodGet && r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("ETag", tag)
	_, _ = w.Write(body) // the client may be gone
}

// writeError answers with the status that an error of package records stands for.
func writeError(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, records.ErrNotFound):
		http.Error(w, "not found", http.StatusNotFound)
	case errors.Is(err, records.ErrForbidden):
		http.Error(w, "forbidden", http.StatusForbidden)
	case errors.Is(err, records.ErrInvalid):
		http.Error(w, err.Error(), http.StatusBadRequest)
	default:
		slog.Error("request failed", "error", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
	}
}
`)
}

func (p *recordProject) gateTest() string {
	return `package api

func TestGate(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	g := NewGate("key", time.Hour, 2, func() time.Time { return now })
	token, err := g.Open(records.Account{Name: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	if a, ok := g.Account(r); !ok || a.Name != "ann" {
		t.Errorf("account %v, %v", a, ok)
	}
	now = now.Add(2 * time.Hour)
	if _, ok := g.Account(r); ok {
		t.Error("the session did not end")
	}
	if g.IsAdmin("") || !g.IsAdmin("key") {
		t.Error("the administrators' key is not told from others")
	}
}

func TestGateForgetsTheOldest(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	g := NewGate("", time.Hour, 2, func() time.Time { return now })
	for range 5 {
		if _, err := g.Open(records.Account{Name: "bob"}); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Second)
	}
	if len(g.sessions) != 2 {
		t.Errorf("%d sessions, wanted 2", len(g.sessions))
	}
}
`
}

func (p *recordProject) main() string {
	var routes strings.Builder
	for _, t := range capped(p.done) {
		fmt.Fprintf(&routes, "\tapi.New%sAPI(gate, records.New%s(db, time.Now)).Routes(mux)\n", t.Type, t.Many)
	}
	return fill(`// Command @name serves the records of the @domain.
package main

func main() {
	if err := run(); err != nil {
		slog.Error("stopped", "error", err)
		os.Exit(1)
	}
}

func run() error {
	// The driver is linked in by the build that is deployed.
	db, err := sql.Open(os.Getenv("DB_DRIVER"), os.Getenv("DB_DSN"))
	if err != nil {
		return fmt.Errorf("open database: %w", err)
	}
	defer db.Close()
	gate := api.NewGate(os.Getenv("ADMIN_KEY"), 12*time.Hour, 10_000, time.Now)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", gate.Login)
@routes	server := &http.Server{
		Addr:              "localhost:8080",
		Handler:           mux,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
	}
	return server.ListenAndServe()
}
`, "@routes", routes.String(), "@name", strings.ReplaceAll(p.spec.Name, "_", "-"), "@domain", p.spec.Domain.Name)
}
