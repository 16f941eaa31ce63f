package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

func (p *batchProject) main() string {
	var readers strings.Builder
	for _, t := range p.readers() {
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

// rows is the reader of one kind of file.
func (p *batchProject) rows(t thing) {
	p.add("rows/"+t.File+".go", func() string {
		var fields, cells, checks strings.Builder
		for i, f := range t.fields {
			fmt.Fprintf(&fields, "\t%s %s\n", f.Go, f.Type)
			cells.WriteString(batchCell(f, i))
			checks.WriteString(batchCheck(f))
		}
		amount, ok := t.first(grow.Cents, grow.Count)
		sum := "1"
		what := "number of rows"
		if ok {
			sum, what = "int64(r."+amount.Go+")", amount.Human
			if amount.Type == "int64" {
				sum = "r." + amount.Go
			}
		}
		return p.fillThing(t, `package rows

// @Type is one row about a @words of the @domain.
type @Type struct {
@fields}

// @TypeReader keeps the rows about @many that were read, by their @label. It is safe for concurrent use.
type @TypeReader struct {
	max int

	mu   sync.Mutex
	rows map[string]@Type
	sum  map[string]int64
}

// New@TypeReader makes a reader that keeps at most max rows.
func New@TypeReader(max int) *@TypeReader {
	return &@TypeReader{max: max, rows: map[string]@Type{}, sum: map[string]int64{}}
}

// Kind is what the names of the files begin with.
func (s *@TypeReader) Kind() string { return "@kind" }

// Parse@Type reads the cells of a line.
func Parse@Type(line batch.Line) (@Type, error) {
	var r @Type
	cells, err := line.Want(@count)
	if err != nil {
		return r, err
	}
@cells	return r, r.check()
}

func (r @Type) check() error {
	if r.@Label == "" || len(r.@Label) > 120 {
		return fmt.Errorf("%w: @label must have 1 to 120 bytes", batch.ErrBadLine)
	}
@checks	return nil
}

// Take keeps a line's row. A row of the same @label replaces the one before.
func (s *@TypeReader) Take(line batch.Line) error {
	r, err := Parse@Type(line)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.rows[r.@Label]; !ok && len(s.rows) >= s.max {
		return fmt.Errorf("more than %d rows about @many", s.max)
	}
	s.rows[r.@Label] = r
	s.sum[r.@Label] += @sum
	return nil
}

// Sum is the @what that was read for a @label.
func (s *@TypeReader) Sum(name string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sum[name]
}

// Rows gives what was read in the order of the @label.
func (s *@TypeReader) Rows() []@Type {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]@Type, 0, len(s.rows))
	for _, r := range s.rows {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b @Type) int { return strings.Compare(a.@Label, b.@Label) })
	return list
}
`, "@kind", strings.ReplaceAll(t.Table, "_", "-")+"-", "@fields", fields.String(), "@cells", cells.String(), "@count", fmt.Sprint(len(t.fields)), "@checks", checks.String(), "@sum", sum, "@what", what)
	})
}

// batchCell reads the cell of a field.
func batchCell(f field, i int) string {
	call := ""
	switch f.Type {
	case "string":
		return fmt.Sprintf("\tr.%s = cells[%d]\n", f.Go, i)
	case "[]string":
		return fmt.Sprintf("\tr.%s = strings.Fields(cells[%d])\n", f.Go, i)
	case "int64":
		call = fmt.Sprintf("strconv.ParseInt(cells[%d], 10, 64)", i)
	case "int":
		call = fmt.Sprintf("strconv.Atoi(cells[%d])", i)
	case "float64":
		call = fmt.Sprintf("strconv.ParseFloat(cells[%d], 64)", i)
	case "bool":
		call = fmt.Sprintf("strconv.ParseBool(cells[%d])", i)
	}
	return fmt.Sprintf("\tif r.%s, err = %s; err != nil {\n\t\treturn r, fmt.Errorf(\"%%w: %s %%q\", batch.ErrBadLine, cells[%d])\n\t}\n", f.Go, call, f.Human, i)
}

func batchCheck(f field) string {
	check := ""
	switch f.Kind {
	case grow.Email:
		check = `!strings.Contains(r.@F, "@")`
	case grow.Cents, grow.Count, grow.Time:
		check = "r.@F < 0"
	case grow.Ratio:
		check = "!(r.@F >= 0 && r.@F <= 1)"
	case grow.State:
		check = fmt.Sprintf("!slices.Contains([]string{\"%s\"}, r.@F)", strings.Join(f.Words, `", "`))
	default:
		return ""
	}
	return fill("\tif "+check+" {\n\t\treturn fmt.Errorf(\"%w: @w is out of range\", batch.ErrBadLine)\n\t}\n", "@F", f.Go, "@w", f.Human)
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

// entry keeps one kind of row.
func (p *batchProject) entry(t thing) {
	p.add("ledger/"+t.File+".go", func() string {
		var names, marks, values, scans, after []string
		words := ""
		for _, f := range t.fields {
			names = append(names, f.Name)
			marks = append(marks, "?")
			if f.Kind == grow.Tags {
				values = append(values, "strings.Join(r."+f.Go+", \" \")")
				scans = append(scans, "&words")
				words = "\tvar words string\n"
				after = append(after, "\tr."+f.Go+" = strings.Fields(words)\n")
				continue
			}
			values = append(values, "r."+f.Go)
			scans = append(scans, "&r."+f.Go)
		}
		return p.fillThing(t, `package ledger

// Keep@Many writes all rows of a file in one transaction and notes the file.
func (l *Ledger) Keep@Many(ctx context.Context, file, partner string, list []rows.@Type) error {
	return l.Whole(ctx, func(tx *sql.Tx) error {
		for _, r := range list {
			_, err := tx.ExecContext(ctx, "INSERT INTO @table (@names) VALUES (@marks)", @values)
			if err != nil {
				return fmt.Errorf("keep @words %q: %w", r.@Label, err)
			}
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO imports (file, partner, at) VALUES (?, ?, ?)", file, partner, batch.Seconds(l.now()))
		if err != nil {
			return fmt.Errorf("note %s: %w", file, err)
		}
		return nil
	})
}

// @Type reads the row of a @label. One that is not there is ErrMissing.
func (l *Ledger) @Type(ctx context.Context, name string) (*rows.@Type, error) {
	var r rows.@Type
@declare	row := l.db.QueryRowContext(ctx, "SELECT @names FROM @table WHERE @column = ?", name)
	err := row.Scan(@scans)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, fmt.Errorf("read @words %q: %w", name, err)
	}
@after	return &r, nil
}

// Forget@Type deletes the row of a @label and says whether there was one.
func (l *Ledger) Forget@Type(ctx context.Context, name string) (bool, error) {
	name = strings.TrimSpace(name)
	done, err := l.db.ExecContext(ctx, "DELETE FROM @table WHERE @column = ?", name)
	if err != nil {
		return false, fmt.Errorf("forget @words %q: %w", name, err)
	}
	n, err := done.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("forget @words %q: %w", name, err)
	}
	return n > 0, nil
}
`, "@names", strings.Join(names, ", "), "@marks", strings.Join(marks, ", "), "@values", strings.Join(values, ", "), "@scans", strings.Join(scans, ", "),
			"@declare", words, "@after", strings.Join(after, ""), "@column", t.label().Name)
	})
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

// report writes about one kind of row.
func (p *batchProject) report(t thing) {
	p.add("paper/"+t.File+".go", func() string {
		condition := "!strings.HasPrefix(r.@Label, hidden) && !strings.HasSuffix(r.@Label, hidden)"
		if f, ok := t.first(grow.Flag); ok {
			condition = "r." + f.Go + " && !strings.HasPrefix(r.@Label, hidden)"
		} else if f, ok := t.first(grow.State); ok {
			condition = fmt.Sprintf("r.%s != %q && !strings.HasPrefix(r.@Label, hidden)", f.Go, f.Words[len(f.Words)-1])
		}
		due := ""
		if f, ok := t.first(grow.Time); ok {
			due = fill(`
// Overdue@Type says whether the row's @w lies before now.
func Overdue@Type(r rows.@Type, now time.Time) bool {
	return r.@F > 0 && r.@F < batch.Seconds(now)
}
`, "@w", f.Human, "@F", f.Go)
		}
		row := ""
		if p.planned("ledger/" + t.File + ".go") {
			row = `
// @TypeRow writes one row of the ledger as HTML, for the page of a single @words.
func @TypeRow(ctx context.Context, from *ledger.Ledger, name string) (string, error) {
	row, err := from.@Type(ctx, name)
	if err != nil {
		return "", fmt.Errorf("page about @words: %w", err)
	}
	return "<h2>" + html.EscapeString(row.@Label) + "</h2>\n", nil
}
`
		}
		return p.fillThing(t, fill(`package paper

// Listed@Type says whether a row is shown: those whose @label begins with hidden are not.
func Listed@Type(r rows.@Type, hidden string) bool {
	return @condition
}

// @TypePage writes the page about the rows that a reader took.
func @TypePage(reader *rows.@TypeReader, hidden string) string {
	list := reader.Rows()
	totals := make([]Total, 0, len(list))
	for i := 0; i < len(list); i++ {
		if Listed@Type(list[i], hidden) {
			totals = append(totals, Total{Name: list[i].@Label, Amount: reader.Sum(list[i].@Label)})
		}
	}
	return HTML("@many", totals)
}
@row@due`, "@condition", condition, "@due", due, "@row", row))
	})
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

// merge compares two deliveries of one kind of row.
func (p *batchProject) merge(t thing) {
	p.add("merge/"+t.File+".go", func() string {
		var same []string
		for _, f := range t.fields[1:] {
			if f.Kind == grow.Tags {
				same = append(same, "slices.Equal(a."+f.Go+", b."+f.Go+")")
				continue
			}
			same = append(same, "a."+f.Go+" == b."+f.Go)
		}
		return p.fillThing(t, `package merge

// @Many takes two lists in the order of the @label and lists what only the new one has, and what differs.
func @Many(old, fresh []rows.@Type) (added, changed []rows.@Type) {
	i := 0
	for _, row := range fresh {
		for i < len(old) && old[i].@Label < row.@Label {
			i++
		}
		if i == len(old) || old[i].@Label != row.@Label {
			added = append(added, row)
			continue
		}
		if !same@Type(old[i], row) {
			changed = append(changed, row)
		}
	}
	return added, changed
}

// same@Type compares everything but the @label.
func same@Type(a, b rows.@Type) bool {
	return @same
}

// Names@Many lists the @label of each row, trimmed, without those that are empty.
func Names@Many(list []rows.@Type) []string {
	var names []string
	for i := 0; i < len(list); i++ {
		name := list[i].@Label
		name = strings.TrimSpace(name)
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}
`, "@same", strings.Join(same, " &&\n\t\t"))
	})
}

func (p *batchProject) rowsTest(t thing) {
	p.add("rows/"+t.File+"_test.go", func() string {
		var cells []string
		for _, f := range t.fields {
			cell := strings.Trim(goodValue(f), `"`)
			if f.Kind == grow.Tags {
				cell = "first second"
			}
			cells = append(cells, fmt.Sprintf("%q", strings.ReplaceAll(cell, "_", "")))
		}
		return p.fillThing(t, `package rows

func TestParse@Type(t *testing.T) {
	cells := []string{@cells}
	r, err := Parse@Type(batch.Line{Number: 1, Cells: cells})
	if err != nil {
		t.Fatal(err)
	}
	if r.@Label != cells[0] {
		t.Errorf("@label is %q", r.@Label)
	}
	if _, err := Parse@Type(batch.Line{Number: 2}); !errors.Is(err, batch.ErrBadLine) {
		t.Errorf("a line without cells gives %v", err)
	}
	reader := New@TypeReader(1)
	for range 2 {
		if err := reader.Take(batch.Line{Number: 3, Cells: cells}); err != nil {
			t.Error(err)
		}
	}
	if n := len(reader.Rows()); n != 1 {
		t.Errorf("%d rows, wanted 1", n)
	}
}
`, "@cells", strings.Join(cells, ", "))
	})
}
