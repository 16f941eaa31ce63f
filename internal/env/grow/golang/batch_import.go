package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// batchImport takes files out of an inbox, checks their lines, keeps them and writes reports.
func batchImport() grow.Template {
	return grow.Template{
		Name: "go/batch-import", Language: "go", Split: "train",
		About: "an import pipeline: leased files of an inbox, readers of lines, a ledger in SQL, reports",
		Grow: func(s grow.Spec) map[string]string {
			w := newWriter(s, []string{
				"bufio", "bytes", "context", "crypto/hmac", "crypto/rand", "crypto/sha256", "database/sql", "encoding/csv", "encoding/hex", "encoding/json", "errors", "fmt",
				"html", "io", "log/slog", "net/http", "os", "path/filepath", "slices", "strconv", "strings", "sync", "testing", "time",
			}, []string{"batch", "rows", "ledger", "paper", "ship", "options", "merge", "archive"})
			p := &batchProject{writer: w, all: things(s.Domain.Entities(w.r, 2+s.Files/4))}
			p.plan()
			return w.files()
		},
	}
}

type batchProject struct {
	*writer
	all []thing
}

func (p *batchProject) plan() {
	p.add("go.mod", func() string { return "module " + p.module + "\n\ngo 1.24\n" })
	p.add("README.md", p.readme)
	p.add("batch/batch.go", p.batch)
	p.add("batch/inbox.go", p.inbox)
	p.add("batch/journal.go", p.journal)
	p.rows(p.all[0])
	p.add("batch/batch_test.go", p.batchTest)
	p.add("cmd/import/main.go", p.main)
	shared := []func(){
		func() { p.add("ledger/ledger.go", p.ledger); p.entry(p.all[0]) },
		func() { p.add("paper/paper.go", p.paper); p.report(p.all[0]) },
		func() { p.add("options/options.go", p.options) },
		func() { p.add("ship/ship.go", p.ship) },
		func() { p.add("archive/archive.go", p.archive) },
		func() { p.add("paper/paper_test.go", p.paperTest) },
	}
	for i := 0; !p.full(); i++ {
		t := p.all[i]
		if i > 0 {
			p.rows(t)
		}
		for range 2 {
			if len(shared) > 0 {
				shared[0]()
				shared = shared[1:]
			}
		}
		extra := []func(thing){p.merge, p.rowsTest}
		if i > 0 { // those of the first one came with what they need
			extra = append(extra, p.entry, p.report)
		}
		p.r.Shuffle(len(extra), func(a, b int) { extra[a], extra[b] = extra[b], extra[a] })
		for _, add := range extra[:2+p.r.IntN(len(extra)-1)] {
			add(t)
		}
	}
}

func (p *batchProject) fillThing(t thing, text string, pairs ...string) string {
	return p.vary(fill(text, append(pairs,
		"@Many", t.Many, "@many", strings.ReplaceAll(t.Table, "_", " "), "@Type", t.Type, "@var", t.Var, "@table", t.Table, "@words", t.Human,
		"@Label", t.label().Go, "@label", t.label().Human, "@domain", p.spec.Domain.Name)...))
}

func (p *batchProject) readers() []thing {
	var out []thing
	for _, t := range p.all {
		if p.planned("rows/" + t.File + ".go") {
			out = append(out, t)
		}
	}
	return out
}

func (p *batchProject) readme() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nImports what partners of the %s leave in an inbox every night.\n\n", strings.ReplaceAll(p.spec.Name, "_", "-"), p.spec.Domain.Name)
	b.WriteString("1. A worker leases a file of the inbox (`batch.Inbox`).\n2. Its lines go through the reader of their kind (`rows`).\n3. The journal notes what was done, and the file is given back.\n\n| file | cells |\n| --- | --- |\n")
	for _, t := range capped(p.readers()) {
		var cells []string
		for _, f := range t.fields {
			cells = append(cells, f.Human)
		}
		fmt.Fprintf(&b, "| %s-*.csv | %s |\n", strings.ReplaceAll(t.Table, "_", "-"), strings.Join(cells, ", "))
	}
	b.WriteString("\nMoments are seconds since 1970 everywhere, money is cents. Only the holder of a lease or an operator gives a file back; `Inbox.Release` sees to it.\n")
	return b.String()
}

func (p *batchProject) batch() string {
	return fill(`// Package batch imports the files of an inbox, line by line.
package batch

var (
	// ErrBadLine is wrapped by what is wrong with a single line.
	ErrBadLine = errors.New("bad line")
	// ErrUnknownFile is returned for files that nobody holds.
	ErrUnknownFile = errors.New("unknown file")
	// ErrTaken is returned for files that somebody else holds.
	ErrTaken = errors.New("file is taken")
	// ErrDenied is returned to workers that may not do something.
	ErrDenied = errors.New("permission denied")
)

// Line is one line of a file.
type Line struct {
	File   string
	Number int
	Cells  []string
}

// Want gives the line's cells, of which there have to be n.
func (l Line) Want(n int) ([]string, error) {
	if len(l.Cells) != n {
		return nil, fmt.Errorf("%w: line %d of %s has %d cells, wanted %d", ErrBadLine, l.Number, l.File, len(l.Cells), n)
	}
	return l.Cells, nil
}

// Reader takes the lines of one kind of file.
type Reader interface {
	Kind() string
	Take(line Line) error
}

// Result counts what became of a file's lines.
type Result struct {
	Taken   int
	Refused int
	Notes   []string
}

// Stamp is a moment as files and journals carry it.
func Stamp(t time.Time) int64 { return t.Unix() }

// Run feeds the lines of a file to a reader. Bad lines are noted and passed over, as long as there are at most most.
func Run(ctx context.Context, from io.Reader, file string, reader Reader, most int) (Result, error) {
	var result Result
	lines := csv.NewReader(from)
	lines.FieldsPerRecord = -1
	for number := 1; ; number++ {
		cells, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return result, nil
		}
		if err != nil {
			return result, fmt.Errorf("line %d of %s: %w", number, file, err)
		}
		if err := ctx.Err(); err != nil {
			return result, err
		}
		for i := 0; i < len(cells); i++ {
			cells[i] = strings.TrimSpace(cells[i])
		}
		err = reader.Take(Line{File: file, Number: number, Cells: cells})
		if err == nil {
			result.Taken++
			continue
		}
		if !errors.Is(err, ErrBadLine) {
			return result, fmt.Errorf("import %s: %w", file, err)
		}
		result.Refused++
		result.Notes = append(result.Notes, err.Error())
		if result.Refused > most {
			return result, fmt.Errorf("import %s: more than %d bad lines", file, most)
		}
	}
}

// KindOf finds the reader for a file by the start of its name.
func KindOf(file string, readers []Reader) (Reader, bool) {
	for i := 0; i < len(readers); i++ {
		kind := readers[i].Kind()
		if strings.HasPrefix(file, kind) && strings.HasSuffix(file, ".csv") {
			return readers[i], true
		}
	}
	return nil, false
}
`)
}

func (p *batchProject) inbox() string {
	return `package batch

// Worker is a process that imports files.
type Worker struct {
	Name     string
	Operator bool // may give back what others hold
}

// Lease says who holds a file, and until when.
type Lease struct {
	File  string
	Owner string
	Token string
	Until time.Time
}

// Inbox is a directory that partners put files into. It is safe for concurrent use.
type Inbox struct {
	dir  string
	key  []byte
	max  int
	life time.Duration
	now  func() time.Time

	mu     sync.Mutex
	leases map[string]*Lease
}

// NewInbox opens a directory whose files are signed with key. At most max files are held at once.
func NewInbox(dir string, key []byte, max int, life time.Duration, now func() time.Time) *Inbox {
	return &Inbox{dir: dir, key: key, max: max, life: life, now: now, leases: map[string]*Lease{}}
}

// Lease lets a worker hold a file for a while.
func (b *Inbox) Lease(who Worker, file string) (Lease, error) {
	raw := make([]byte, 16)
	if _, err := rand.Read(raw); err != nil {
		return Lease{}, fmt.Errorf("lease %s: %w", file, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if held, ok := b.leases[file]; ok && b.now().Before(held.Until) {
		return Lease{}, fmt.Errorf("%s: %w", file, ErrTaken)
	}
	if len(b.leases) >= b.max {
		b.dropEnded()
	}
	if len(b.leases) >= b.max {
		return Lease{}, fmt.Errorf("lease %s: %d files are held already", file, b.max)
	}
	lease := &Lease{File: file, Owner: who.Name, Token: hex.EncodeToString(raw), Until: b.now().Add(b.life)}
	b.leases[file] = lease
	return *lease, nil
}

// dropEnded forgets leases that are over; b.mu is held.
func (b *Inbox) dropEnded() {
	for file, lease := range b.leases {
		if b.now().After(lease.Until) {
			delete(b.leases, file)
		}
	}
}

// Find gives a copy of the lease of a file.
func (b *Inbox) Find(file string) (*Lease, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	lease, ok := b.leases[file]
	if !ok {
		return nil, ErrUnknownFile
	}
	held := *lease
	return &held, nil
}

// Release gives a file back.
func (b *Inbox) Release(who Worker, file string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	lease, ok := b.leases[file]
	if !ok {
		return ErrUnknownFile
	}
	if lease.Owner != who.Name && !who.Operator {
		return ErrDenied
	}
	delete(b.leases, file)
	return nil
}

// Read gives back a file whose signature, the file of the same name with .sig, fits.
func (b *Inbox) Read(file string) ([]byte, error) {
	if !filepath.IsLocal(file) {
		return nil, fmt.Errorf("read %q: %w", file, ErrDenied)
	}
	body, err := os.ReadFile(filepath.Join(b.dir, file))
	if err != nil {
		return nil, fmt.Errorf("read inbox: %w", err)
	}
	signature, err := os.ReadFile(filepath.Join(b.dir, file+".sig"))
	if err != nil {
		return nil, fmt.Errorf("read signature: %w", err)
	}
	given, err := hex.DecodeString(strings.TrimSpace(string(signature)))
	if err != nil {
		return nil, fmt.Errorf("signature of %s: %w", file, err)
	}
	mac := hmac.New(sha256.New, b.key)
	mac.Write(body)
	if !hmac.Equal(given, mac.Sum(nil)) {
		return nil, fmt.Errorf("signature of %s: %w", file, ErrDenied)
	}
	return body, nil
}
`
}

func (p *batchProject) journal() string {
	return `package batch

// Journal notes every file that was imported, one line each, and knows which ones those are. It is safe for concurrent
// use.
type Journal struct {
	path string
	now  func() time.Time

	mu   sync.Mutex
	done map[string]int64 // when, in seconds since 1970
}

// OpenJournal reads the journal at path; one that is not there yet is empty.
func OpenJournal(path string, now func() time.Time) (*Journal, error) {
	j := &Journal{path: path, now: now, done: map[string]int64{}}
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return j, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		at, name, found := strings.Cut(lines.Text(), "\t")
		seconds, err := strconv.ParseInt(at, 10, 64)
		if err != nil || !found {
			return nil, fmt.Errorf("line %d of the journal: %w", number, ErrBadLine)
		}
		j.done[name] = seconds
	}
	return j, lines.Err()
}

// Begin says whether a file is new, and remembers it, so that only one worker begins it.
func (j *Journal) Begin(file string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if _, ok := j.done[file]; ok {
		return false
	}
	j.done[file] = Stamp(j.now())
	return true
}

// Undo forgets a file that was begun and could not be imported.
func (j *Journal) Undo(file string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.done, file)
}

// Finish writes down that a worker has imported a file that it holds, and gives the file back before.
func (j *Journal) Finish(box *Inbox, who Worker, file string) error {
	lease, err := box.Find(file)
	if err != nil {
		return fmt.Errorf("finish %s: %w", file, err)
	}
	if j.now().After(lease.Until) {
		return fmt.Errorf("finish %s: the lease of %s is over", file, lease.Owner)
	}
	if err := box.Release(who, file); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	out, err := os.OpenFile(j.path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	if _, err := fmt.Fprintf(out, "%d\t%s\n", Stamp(j.now()), lease.File); err != nil {
		_ = out.Close() // the error above says more
		return fmt.Errorf("write journal: %w", err)
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	return nil
}
`
}

func (p *batchProject) batchTest() string {
	return `package batch

type counter struct{ lines int }

func (c *counter) Kind() string { return "count" }

func (c *counter) Take(line Line) error {
	if _, err := line.Want(2); err != nil {
		return err
	}
	c.lines++
	return nil
}

func TestRun(t *testing.T) {
	c := &counter{}
	result, err := Run(context.Background(), strings.NewReader("a, b\nc\nd,e\n"), "count-1.csv", c, 1)
	if err != nil || result.Taken != 2 || result.Refused != 1 || c.lines != 2 {
		t.Fatalf("%+v, %v", result, err)
	}
	if _, err := Run(context.Background(), strings.NewReader("a\nb\n"), "count-2.csv", c, 1); err == nil {
		t.Error("two bad lines were let through")
	}
	if _, ok := KindOf("count-3.csv", []Reader{c}); !ok {
		t.Error("no reader was found")
	}
}

func TestLeases(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	box := NewInbox(t.TempDir(), []byte("key"), 2, time.Minute, func() time.Time { return now })
	ann, bob := Worker{Name: "ann"}, Worker{Name: "bob"}
	if _, err := box.Lease(ann, "a.csv"); err != nil {
		t.Fatal(err)
	}
	if _, err := box.Lease(bob, "a.csv"); !errors.Is(err, ErrTaken) {
		t.Errorf("a second lease gives %v", err)
	}
	if err := box.Release(bob, "a.csv"); !errors.Is(err, ErrDenied) {
		t.Errorf("giving back what others hold gives %v", err)
	}
	now = now.Add(time.Hour)
	if _, err := box.Lease(bob, "a.csv"); err != nil {
		t.Errorf("an old lease is in the way: %v", err)
	}
	if _, err := box.Find("b.csv"); !errors.Is(err, ErrUnknownFile) {
		t.Errorf("a file that nobody holds gives %v", err)
	}
}
`
}
