package golang

import (
	"fmt"
	"strings"
)

func (p *tallyProject) main() string {
	var commands strings.Builder
	for _, t := range capped(p.topics()) {
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
