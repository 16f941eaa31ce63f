package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

func (p *tallyProject) main() string {
	var commands strings.Builder
	for _, t := range p.topics() {
		fmt.Fprintf(&commands, "\t\t%q: %s.Ask,\n", topicPackage(t), topicPackage(t))
	}
	return fill(`// Command @name answers questions about the @domain.
package main

type command func(args []string, in io.Reader, out io.Writer) error

func commands() map[string]command {
	return map[string]command{
@commands	}
}

func main() {
	err := dispatch(os.Args[1:], os.Stdin, os.Stdout)
	switch {
	case errors.Is(err, tally.NoData):
		fmt.Fprintln(os.Stderr, "there is nothing to answer with:", err)
		os.Exit(3)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func dispatch(args []string, in io.Reader, out io.Writer) error {
	known := commands()
	if len(args) == 0 || args[0] == "help" {
		for _, name := range slices.Sorted(maps.Keys(known)) {
			fmt.Fprintln(out, name)
		}
		return nil
	}
	run, found := known[args[0]]
	if !found {
		return fmt.Errorf("no topic %q", args[0])
	}
	return run(args[1:], in, out)
}
`, "@commands", commands.String(), "@name", strings.ReplaceAll(p.spec.Name, "_", "-"), "@domain", p.spec.Domain.Name)
}

func (p *tallyProject) clockwork() string {
	return `// Package clockwork repeats jobs.
package clockwork

// Job is work with a name.
type Job struct {
	Name  string
	Every time.Duration
	Limit time.Duration // for one run
	Do    func(ctx context.Context) error
}

// Clockwork runs jobs until it is told to stop.
type Clockwork struct {
	most int

	guard  sync.RWMutex
	failed map[string]int
	ran    map[string]int
}

// New makes a clockwork that gives a job up after most failures.
func New(most int) *Clockwork {
	return &Clockwork{most: most, failed: make(map[string]int), ran: make(map[string]int)}
}

// Fails counts a failure and says whether the job is to be given up.
func (c *Clockwork) Fails(name string) bool {
	c.guard.Lock()
	defer c.guard.Unlock()
	c.failed[name]++
	if c.failed[name] >= c.most {
		return true
	}
	return false
}

func (c *Clockwork) succeeds(name string) {
	c.guard.Lock()
	defer c.guard.Unlock()
	c.ran[name]++
	delete(c.failed, name)
}

// Ran says how often each job succeeded, in a map of the caller's own.
func (c *Clockwork) Ran() map[string]int {
	c.guard.RLock()
	defer c.guard.RUnlock()
	return maps.Clone(c.ran)
}

// once runs a job within its limit.
func once(ctx context.Context, job Job) error {
	ctx, cancel := context.WithTimeout(ctx, job.Limit)
	defer cancel()
	return job.Do(ctx)
}

func rest(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Keep repeats one job until the context ends or the job has failed too often.
func (c *Clockwork) Keep(ctx context.Context, job Job) error {
	for {
		if err := once(ctx, job); err == nil {
			c.succeeds(job.Name)
		} else if c.Fails(job.Name) {
			return fmt.Errorf("job %s: %w", job.Name, err)
		}
		if err := rest(ctx, job.Every); err != nil {
			return err
		}
	}
}

// KeepAll keeps several jobs at once and joins what went wrong.
func (c *Clockwork) KeepAll(ctx context.Context, jobs []Job) error {
	faults := make([]error, len(jobs))
	var group sync.WaitGroup
	for i, job := range jobs {
		group.Add(1)
		go func() {
			defer group.Done()
			faults[i] = c.Keep(ctx, job)
		}()
	}
	group.Wait()
	return errors.Join(faults...)
}
`
}

func (p *tallyProject) fetch() string {
	return `// Package fetch reads series from the hosts that publish them.
package fetch

// From says what may be fetched.
type From struct {
	Hosts   map[string]bool // the only ones that are asked
	Largest int64           // bytes of one answer
	Patient time.Duration
}

func (f From) client() *http.Client {
	return &http.Client{
		Timeout: f.Patient,
		Transport: &http.Transport{
			Proxy:           http.ProxyFromEnvironment,
			TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS13},
		},
		CheckRedirect: func(next *http.Request, _ []*http.Request) error {
			if !f.Hosts[next.URL.Host] {
				return fmt.Errorf("redirect to %s is not followed", next.URL.Host)
			}
			return nil
		},
	}
}

// Address reads an address of one of the hosts.
func (f From) Address(text string) (*url.URL, error) {
	address, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("address: %w", err)
	}
	if address.Scheme != "https" || !f.Hosts[address.Host] {
		return nil, fmt.Errorf("%s is not a host that series come from", address.Host)
	}
	return address, nil
}

// Series fills a series with the lines that an address answers with.
func (f From) Series(ctx context.Context, text string, into *tally.Series) error {
	address, err := f.Address(text)
	if err != nil {
		return err
	}
	question, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return fmt.Errorf("ask %s: %w", address.Host, err)
	}
	reply, err := f.client().Do(question)
	if err != nil {
		return fmt.Errorf("ask %s: %w", address.Host, err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("ask %s: status %d", address.Host, reply.StatusCode)
	}
	return tally.ReadAll(io.LimitReader(reply.Body, f.Largest), into)
}

// Within runs work and gives it up after the patience of f.
func (f From) Within(parent context.Context, work func(context.Context) error) error {
	ctx, stop := context.WithTimeout(parent, f.Patient)
	defer stop()
	return work(ctx)
}
`
}

func (p *tallyProject) squeeze() string {
	return `// Package squeeze packs old files with the programs of the system.
package squeeze

// Dir is a directory of files that may be packed.
type Dir struct {
	Path    string
	Patient time.Duration
}

// Pack replaces a file of the directory by a packed one.
func (d Dir) Pack(parent context.Context, name string) error {
	if name != filepath.Base(name) || strings.HasPrefix(name, ".") {
		return fmt.Errorf("pack %q: only files of %s", name, d.Path)
	}
	ctx, done := context.WithTimeout(parent, d.Patient)
	defer done()
	if err := run(ctx, filepath.Join(d.Path, name)); err != nil {
		return fmt.Errorf("pack %s: %w", name, err)
	}
	return nil
}

func run(ctx context.Context, file string) error {
	said, err := exec.CommandContext(ctx, "xz", "--force", "--", file).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w (%s)", err, bytes.TrimSpace(said))
	}
	return nil
}

// Size counts the bytes of all files, as text with a unit.
func (d Dir) Size() (string, error) {
	entries, err := os.ReadDir(d.Path)
	if err != nil {
		return "", fmt.Errorf("size of %s: %w", d.Path, err)
	}
	var total int64
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			return "", fmt.Errorf("size of %s: %w", entry.Name(), err)
		}
		total += info.Size()
	}
	return Unit(total), nil
}

// Unit writes a number of bytes for people.
func Unit(bytes int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	at, value := 0, float64(bytes)
	for value >= 1024 && at < len(units)-1 {
		value /= 1024
		at++
	}
	return strconv.FormatFloat(value, 'f', 1, 64) + " " + units[at]
}
`
}

func (p *tallyProject) chart() string {
	return `package tally

// Bars draws one line a point, the longest of them width characters.
func Bars(points []Point, width int) string {
	largest := 0.0
	for _, p := range points {
		largest = math.Max(largest, p.Value)
	}
	var drawing strings.Builder
	for _, p := range points {
		n := 0
		if largest > 0 && p.Value > 0 {
			n = int(math.Round(p.Value / largest * float64(width)))
		}
		drawing.WriteString(strings.Repeat("#", n))
		drawing.WriteString("\n")
	}
	return drawing.String()
}

// Spread is the distance from the smallest number to the largest.
func (s *Series) Spread() (float64, error) {
	ranked := s.Ranked()
	if len(ranked) == 0 {
		return 0, fmt.Errorf("spread of %s: %w", s.Name, NoData)
	}
	return ranked[0].Value - ranked[len(ranked)-1].Value, nil
}

// Page is one page of a list, counted from 1; none that is there is empty.
func Page(points []Point, number, size int) []Point {
	if number < 1 || size < 1 {
		return nil
	}
	lo := min((number-1)*size, len(points))
	hi := min(lo+size, len(points))
	return points[lo:hi]
}
`
}

// topic is the package of an entity: its records.
func (p *tallyProject) topic(t thing) {
	p.add("topics/"+topicPackage(t)+"/"+t.File+".go", func() string {
		var fields, pieces strings.Builder
		for _, f := range t.fields {
			fmt.Fprintf(&fields, "\t%s %s\n", f.Go, f.Type)
		}
		measure, what := "1", "one"
		if f, ok := t.first(grow.Cents, grow.Count, grow.Ratio); ok {
			measure, what = "float64(r."+f.Go+")", "its "+f.Human
			if f.Type == "float64" {
				measure = "r." + f.Go
			}
		}
		moment := "r.Seen"
		if f, ok := t.first(grow.Time); ok {
			moment = "max(r.Seen, r." + f.Go + ")"
		}
		for _, f := range t.fields[1:] {
			switch f.Kind {
			case grow.Flag:
				fmt.Fprintf(&pieces, "\tif r.%s {\n\t\tline.WriteString(\" %s\")\n\t}\n", f.Go, f.Human)
			case grow.Tags:
				fmt.Fprintf(&pieces, "\tfor _, mark := range r.%s {\n\t\tline.WriteString(\" #\" + mark)\n\t}\n", f.Go)
			case grow.Text, grow.Email, grow.State:
				fmt.Fprintf(&pieces, "\tline.WriteString(\" \" + r.%s)\n", f.Go)
			default:
				fmt.Fprintf(&pieces, "\tfmt.Fprintf(&line, \" %s=%%v\", r.%s)\n", f.Name, f.Go)
			}
		}
		return p.fillThing(t, `// Package @pkg knows the @many of the @domain.
package @pkg

// Record is one @words.
type Record struct {
	Seen int64 // seconds since 1970
@fields}

// Measure is what a record counts for in series: @what.
func (r Record) Measure() float64 { return @measure }

// Moment is when a record counts.
func (r Record) Moment() int64 { return @moment }

// String writes a record as one line.
func (r Record) String() string {
	var line strings.Builder
	line.WriteString(r.@Label)
@pieces	return line.String()
}

// Book holds the records of the topic.
type Book struct {
	capacity int

	guard   sync.RWMutex
	records map[string]Record
}

// NewBook has room for capacity records.
func NewBook(capacity int) *Book {
	return &Book{capacity: capacity, records: make(map[string]Record)}
}

// Write puts a record in. The newer one of two with the same @label stays.
func (b *Book) Write(r Record) error {
	b.guard.Lock()
	defer b.guard.Unlock()
	old, known := b.records[r.@Label]
	if known && old.Seen > r.Seen {
		return nil
	}
	if !known && len(b.records) >= b.capacity {
		return fmt.Errorf("write @words %q: %w", r.@Label, tally.TooMany)
	}
	b.records[r.@Label] = r
	return nil
}

// Copy gives all records, by @label.
func (b *Book) Copy() map[string]Record {
	b.guard.RLock()
	defer b.guard.RUnlock()
	return maps.Clone(b.records)
}

// Newest lists the records, the one seen last first.
func (b *Book) Newest() []Record {
	list := slices.Collect(maps.Values(b.Copy()))
	slices.SortFunc(list, func(x, y Record) int {
		return cmp.Or(cmp.Compare(y.Seen, x.Seen), strings.Compare(x.@Label, y.@Label))
	})
	return list
}

// Series turns the records into points.
func (b *Book) Series(limit int) (*tally.Series, error) {
	s := &tally.Series{Name: "@many", Limit: limit}
	for _, r := range b.Newest() {
		if err := s.Add(tally.Point{At: r.Moment(), Value: r.Measure()}); err != nil {
			return nil, err
		}
	}
	return s, nil
}
`, "@fields", fields.String(), "@what", what, "@measure", measure, "@moment", moment, "@pieces", pieces.String())
	})
}

// ask is a topic's command.
func (p *tallyProject) ask(t thing) {
	p.add("topics/"+topicPackage(t)+"/ask.go", func() string {
		question := p.choose(`	mean, err := series.MeanOrZero(*last)
	if err != nil {
		return err
	}
	return show(out, "mean", mean, series.Last(*last))
`, `	median, err := series.Median()
	if errors.Is(err, tally.NoData) {
		return show(out, "median", 0, nil)
	}
	if err != nil {
		return err
	}
	return show(out, "median", median, series.Last(*last))
`, `	points := series.Last(*last)
	return show(out, "sum", tally.Sum(points), points)
`)
		return p.fillThing(t, `package @pkg

// Ask reads lines of a @label, a blank and a number of seconds, and answers with figures.
func Ask(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("@pkg", flag.ContinueOnError)
	last := flags.Int("last", 10, "how many points to show")
	room := flags.Int("room", 1000, "how many @many to take in")
	if err := flags.Parse(args); err != nil {
		return err
	}
	book := NewBook(*room)
	if err := fillBook(in, book); errors.Is(err, tally.TooMany) {
		fmt.Fprintln(out, "only the first", *room, "@many are counted")
	} else if err != nil {
		return err
	}
	series, err := book.Series(*room)
	if err != nil {
		return err
	}
@question}

func fillBook(in io.Reader, book *Book) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		name, seconds, _ := strings.Cut(lines.Text(), " ")
		seen, err := strconv.ParseInt(seconds, 10, 64)
		if err != nil {
			return fmt.Errorf("@words %q: %w", name, tally.BadCell)
		}
		if err := book.Write(Record{@Label: name, Seen: seen}); err != nil {
			return err
		}
	}
	return lines.Err()
}

// show writes a figure and the points behind it.
func show(out io.Writer, name string, figure float64, points []tally.Point) error {
	page := bufio.NewWriter(out)
	fmt.Fprintf(page, "%s %.2f\n", name, figure)
	for _, p := range points {
		fmt.Fprintf(page, "%s %g\n", time.Unix(p.At, 0).UTC().Format(time.DateTime), p.Value)
	}
	if err := page.Flush(); err != nil {
		return fmt.Errorf("show @many: %w", err)
	}
	return nil
}

// Latest is the record seen last.
func Latest(book *Book) (Record, error) {
	newest := book.Newest()
	if len(newest) == 0 {
		return Record{}, fmt.Errorf("latest @words: %w", tally.NoData)
	}
	return newest[0], nil
}
`, "@question", question)
	})
}

// load is a topic's table and its file on disk.
func (p *tallyProject) load(t thing) {
	p.add("topics/"+topicPackage(t)+"/table.go", func() string {
		style := p.choose("record.String()", "record.@Label")
		filter := ""
		if f, ok := t.first(grow.State); ok {
			filter = fill(`
// By@F counts the records of each @h.
func By@F(records []Record) map[string]int {
	counts := make(map[string]int, 4)
	for _, record := range records {
		counts[record.@F]++
	}
	return counts
}
`, "@F", f.Go, "@h", f.Human)
		} else if f, ok := t.first(grow.Count, grow.Cents); ok {
			filter = fill(`
// Most@F is the record with the largest @h; the first one wins.
func Most@F(records []Record) (most Record, found bool) {
	for _, record := range records {
		if !found || record.@F > most.@F {
			most, found = record, true
		}
	}
	return most, found
}
`, "@F", f.Go, "@h", f.Human)
		}
		return p.fillThing(t, `package @pkg

// Table writes records in columns.
func Table(to io.Writer, records []Record) error {
	columns := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
	fmt.Fprintln(columns, "@label\tseen\tmeasure")
	for _, r := range records {
		fmt.Fprintf(columns, "%s\t%d\t%g\n", r.@Label, r.Seen, r.Measure())
	}
	return columns.Flush()
}

// Newer lists the page of the newest n records as lines.
func Newer(book *Book, n int) string {
	records := book.Newest()
	slices.Reverse(records)
	lo, hi := tally.Tail(n, len(records))
	var text strings.Builder
	for _, record := range records[lo:hi] {
		text.WriteString(`+style+`)
		text.WriteString("\n")
	}
	return text.String()
}

// Export writes all lines of the book to a new file.
func Export(book *Book, path string) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("export @many: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	page := bufio.NewWriter(file)
	for _, record := range book.Newest() {
		fmt.Fprintln(page, record)
	}
	return page.Flush()
}
`+filter)
	})
}

func (p *tallyProject) topicTest(t thing) {
	p.add("topics/"+topicPackage(t)+"/"+t.File+"_test.go", func() string {
		return p.fillThing(t, `package @pkg

func TestBook(t *testing.T) {
	book := NewBook(2)
	for i, name := range []string{"a", "b", "b"} {
		if err := book.Write(Record{@Label: name, Seen: int64(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := book.Write(Record{@Label: "c"}); !errors.Is(err, tally.TooMany) {
		t.Errorf("a third @words: %v", err)
	}
	newest := book.Newest()
	if len(newest) != 2 || newest[0].@Label != "b" || newest[0].Seen != 2 {
		t.Errorf("newest %v", newest)
	}
	series, err := book.Series(10)
	if err != nil || series.Len() != 2 {
		t.Errorf("series %v, %v", series, err)
	}
}
`)
	})
}
