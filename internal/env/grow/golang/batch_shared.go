package golang

import (
	"fmt"
	"strings"
)

func (p *batchProject) main() string {
	var readers strings.Builder
	for _, t := range capped(p.readers()) {
		fmt.Fprintf(&readers, "\t\trows.New%sReader(100_000),\n", t.Type)
	}
	return fill(`// Command import takes the files named on its command line out of the inbox.
package main

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		slog.Error("import failed", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, files []string) error {
	key := os.Getenv("INBOX_KEY")
	if key == "" {
		return errors.New("INBOX_KEY is not set")
	}
	box := batch.NewInbox("inbox", []byte(key), 16, time.Hour, time.Now)
	journal, err := batch.OpenJournal("journal.txt", time.Now)
	if err != nil {
		return err
	}
	readers := []batch.Reader{
@readers	}
	who := batch.Worker{Name: fmt.Sprintf("import-%d", os.Getpid())}
	for _, file := range files {
		if !journal.Begin(file) {
			slog.Info("imported before", "file", file)
			continue
		}
		if err := one(ctx, box, journal, who, file, readers); err != nil {
			journal.Undo(file)
			return err
		}
	}
	return nil
}

func one(ctx context.Context, box *batch.Inbox, journal *batch.Journal, who batch.Worker, file string, readers []batch.Reader) error {
	reader, ok := batch.KindOf(file, readers)
	if !ok {
		return fmt.Errorf("%s: no reader for files of this name", file)
	}
	if _, err := box.Lease(who, file); err != nil {
		return err
	}
	body, err := box.Read(file)
	if err != nil {
		return err
	}
	result, err := batch.Run(ctx, bytes.NewReader(body), file, reader, 10)
	if err != nil {
		return err
	}
	slog.Info("imported", "file", file, "taken", result.Taken, "refused", result.Refused)
	return journal.Finish(box, who, file)
}
`, "@readers", readers.String())
}

func (p *batchProject) ledger() string {
	return `// Package ledger keeps imported rows in a SQL database. One file goes in as a whole or not at all.
package ledger

// ErrMissing is returned for rows that were never imported.
var ErrMissing = errors.New("row is missing")

// Ledger wraps the database.
type Ledger struct {
	db  *sql.DB
	now func() time.Time
}

// New wraps a database whose tables exist.
func New(db *sql.DB, now func() time.Time) *Ledger { return &Ledger{db: db, now: now} }

// Whole runs work in one transaction.
func (l *Ledger) Whole(ctx context.Context, work func(tx *sql.Tx) error) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback() // without effect after the commit
	if err := work(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Imported says when a file went in, in seconds since 1970.
func (l *Ledger) Imported(ctx context.Context, file string) (int64, error) {
	var at int64
	err := l.db.QueryRowContext(ctx, "SELECT at FROM imports WHERE file = ?", file).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, ErrMissing
	}
	if err != nil {
		return 0, fmt.Errorf("look up %s: %w", file, err)
	}
	return at, nil
}

// Files lists the files of one partner, the newest first.
func (l *Ledger) Files(ctx context.Context, partner string) ([]string, error) {
	found, err := l.db.QueryContext(ctx, "SELECT file FROM imports WHERE partner = ? ORDER BY at DESC", partner)
	if err != nil {
		return nil, fmt.Errorf("files of %s: %w", partner, err)
	}
	defer found.Close()
	var files []string
	for found.Next() {
		var file string
		if err := found.Scan(&file); err != nil {
			return nil, fmt.Errorf("files of %s: %w", partner, err)
		}
		files = append(files, file)
	}
	return files, found.Err()
}
`
}

func (p *batchProject) paper() string {
	return `// Package paper writes reports about imports, as text and as HTML.
package paper

// Total is one line of a report.
type Total struct {
	Name   string
	Amount int64
}

// Cents writes an amount of cents with two digits behind the point.
func Cents(amount int64) string {
	sign := ""
	if amount < 0 {
		sign, amount = "-", -amount
	}
	return fmt.Sprintf("%s%d.%02d", sign, amount/100, amount%100)
}

// Text writes totals in columns.
func Text(title string, totals []Total) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", strings.ToUpper(title))
	for i := 0; i < len(totals); i++ {
		fmt.Fprintf(&b, "%-40s %14s\n", totals[i].Name, Cents(totals[i].Amount))
	}
	return b.String()
}

// HTML writes totals as a table.
func HTML(title string, totals []Total) string {
	var b strings.Builder
	b.WriteString("<!doctype html>\n<title>" + html.EscapeString(title) + "</title>\n<table>\n")
	for _, total := range totals {
		b.WriteString("<tr><td>" + html.EscapeString(total.Name) + "</td><td>" + Cents(total.Amount) + "</td></tr>\n")
	}
	b.WriteString("</table>\n")
	return b.String()
}

// Search keeps the totals whose name holds a word, in any case.
func Search(totals []Total, word string) []Total {
	word = strings.ToLower(word)
	var found []Total
	for _, total := range totals {
		name := strings.ToLower(total.Name)
		if strings.Contains(name, word) {
			found = append(found, total)
		}
	}
	return found
}

// ETag names a page, so that browsers need not fetch it again.
func ETag(page string) string {
	sum := sha256.Sum256([]byte(page))
	return "\"" + hex.EncodeToString(sum[:10]) + "\""
}

// Save puts a page into a directory of reports.
func Save(dir, name, page string) error {
	if !filepath.IsLocal(name) {
		return fmt.Errorf("save report: %q leaves the directory", name)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644); err != nil {
		return fmt.Errorf("save report: %w", err)
	}
	return nil
}
`
}

func (p *batchProject) paperTest() string {
	return `package paper

func TestHTMLEscapes(t *testing.T) {
	page := HTML("<b>", []Total{{Name: "a & b", Amount: 150}})
	for _, part := range []string{"&lt;b&gt;", "a &amp; b", "1.50"} {
		if !strings.Contains(page, part) {
			t.Errorf("%q is not in %q", part, page)
		}
	}
}

func TestCents(t *testing.T) {
	for amount, want := range map[int64]string{0: "0.00", 5: "0.05", -120: "-1.20"} {
		if got := Cents(amount); got != want {
			t.Errorf("%d cents are %q", amount, got)
		}
	}
}
`
}

func (p *batchProject) options() string {
	return fill(`// Package options reads what an import is told by its environment.
package options

// Options of one run.
type Options struct {
	Inbox       string
	Partner     string
	MaxBadLines int
	Wait        int // seconds between two looks into the inbox
	UploadToken string
}

// FromEnv reads the options. What is not set has its usual value.
func FromEnv() (Options, error) {
	o := Options{Inbox: "inbox", Partner: "@domain", MaxBadLines: 10, Wait: 60}
	if dir := os.Getenv("IMPORT_INBOX"); dir != "" {
		o.Inbox = filepath.Clean(dir)
	}
	if text := os.Getenv("IMPORT_BAD_LINES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			return o, fmt.Errorf("IMPORT_BAD_LINES: %w", err)
		}
		if n < 0 {
			return o, errors.New("IMPORT_BAD_LINES is negative")
		}
		o.MaxBadLines = n
	}
	token := os.Getenv("IMPORT_UPLOAD_TOKEN")
	o.UploadToken = strings.TrimSpace(token)
	return o, nil
}

// Pause is how long to wait between two looks into the inbox.
func (o Options) Pause() time.Duration { return time.Duration(o.Wait) * time.Second }
`, "@domain", p.spec.Domain.Name)
}

func (p *batchProject) ship() string {
	return `// Package ship sends finished reports to the partner that asked for them.
package ship

// MaxAnswer is how much of an answer is read, in bytes.
const MaxAnswer = 64 << 10

// Shipper sends to one address.
type Shipper struct {
	client *http.Client
	target string
	token  string
}

// New makes a shipper; target comes from the configuration.
func New(client *http.Client, target, token string) *Shipper {
	return &Shipper{client: client, target: target, token: token}
}

// Receipt is what the partner answers.
type Receipt struct {
	Number   string ` + "`json:\"number\"`" + `
	Received int64  ` + "`json:\"received\"`" + ` // seconds since 1970
}

// Send hands a report over and returns the receipt.
func (s *Shipper) Send(ctx context.Context, name string, body []byte) (*Receipt, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPut, s.target, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("send %s: %w", name, err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("X-Report", name)
	answer, err := s.client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("send %s: %w", name, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("send %s: status %d", name, answer.StatusCode)
	}
	var receipt Receipt
	if err := json.NewDecoder(io.LimitReader(answer.Body, MaxAnswer)).Decode(&receipt); err != nil {
		return nil, fmt.Errorf("receipt of %s: %w", name, err)
	}
	if receipt.Number == "" || receipt.Received <= 0 {
		return nil, fmt.Errorf("receipt of %s is not complete", name)
	}
	return &receipt, nil
}
`
}

func (p *batchProject) archive() string {
	return `// Package archive remembers the content of files that were seen, so that none goes in twice under another name.
package archive

// Archive is bounded: the content that was met longest ago is forgotten first. It is safe for concurrent use.
type Archive struct {
	max int
	now func() time.Time

	mu   sync.RWMutex
	seen map[string]time.Time
}

// New makes an archive of at most max files.
func New(max int, now func() time.Time) *Archive {
	return &Archive{max: max, now: now, seen: map[string]time.Time{}}
}

// contentName names a file's content.
func contentName(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// Add remembers a file and says whether its content is new.
func (a *Archive) Add(body []byte) bool {
	key := contentName(body)
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.seen[key]; ok {
		return false
	}
	if len(a.seen) >= a.max {
		a.forgetOldest()
	}
	a.seen[key] = a.now()
	return true
}

// forgetOldest drops one file; a.mu is held.
func (a *Archive) forgetOldest() {
	oldest, at := "", time.Time{}
	for key, seen := range a.seen {
		if oldest == "" || seen.Before(at) {
			oldest, at = key, seen
		}
	}
	delete(a.seen, oldest)
}

// Len is how many files are remembered.
func (a *Archive) Len() int {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return len(a.seen)
}
`
}
