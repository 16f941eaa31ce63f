package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"golang.org/x/term"
)

// progress shows a run on stderr: one line that is redrawn on a terminal, a line now and then elsewhere.
type progress struct {
	w       io.Writer
	live    bool
	started time.Time

	mu      sync.Mutex
	last    rlm.Progress
	counted string // what count or show says, instead of a run's state
	seen    bool
	drawn   bool
	printed string // what the last plain line was about
	stop    chan struct{}
	ended   sync.Once
	done    sync.WaitGroup
}

// newProgress begins to show something. The end of the program closes it, if nothing did before.
func (a *app) newProgress() *progress {
	p := &progress{w: a.stderr, live: isTerminal(a.stderr), started: time.Now(), stop: make(chan struct{})}
	if a.quiet {
		p.w, p.live = io.Discard, false
	}
	if p.live {
		p.done.Go(p.redraw)
	}
	a.closeLater(func() error { p.close(); return nil })
	return p
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// observe takes a snapshot of the run.
func (p *progress) observe(s rlm.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.Node != "" { // a child's turn is not the run's: keep the root's, take the counters
		s.Turn, s.MaxTurns, s.Doing = p.last.Turn, p.last.MaxTurns, "a child is "+s.Doing
	}
	p.last, p.seen = s, true
	if !p.live {
		p.plain(s)
	}
}

// plain prints a line when a turn begins to do something else, and at every quarter of what was dispatched.
func (p *progress) plain(s rlm.Progress) {
	quarter := 0
	if s.DispatchesTotal > 0 {
		quarter = 4 * s.Dispatches / s.DispatchesTotal
	}
	key := fmt.Sprint(s.Turn, s.Doing, quarter)
	if key == p.printed {
		return
	}
	p.printed = key
	fmt.Fprintln(p.w, p.line(s, 120))
}

// count shows how many of equal things are done: live, or a plain line at every quarter.
func (p *progress) count(what string, done, total int) {
	p.show(fmt.Sprintf("%d of %d %s  %s", done, total, what, time.Since(p.started).Round(time.Second)), part("", 4, done, total))
}

// show shows a line of the caller's own instead of a run's state. Where nothing is redrawn it is printed if its key is
// another than that of the line before; "" is never printed.
func (p *progress) show(line, key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counted, p.seen = line, true
	if key == "" || key == p.printed {
		return
	}
	p.printed = key
	if !p.live {
		fmt.Fprintln(p.w, line)
	}
}

// part is the key of a line about a phase that is shown so many times: which of its equal parts is under way, "" before
// anything is done.
func part(phase string, parts, done, total int) string {
	if done == 0 {
		return ""
	}
	return fmt.Sprint(phase, " ", parts*done/max(total, 1))
}

// partDone is part, with "" before the first of the parts is done.
func partDone(phase string, parts, done, total int) string {
	if parts*done < total {
		return ""
	}
	return part(phase, parts, done, total)
}

// remaining is how long something takes yet, as the end of a line; "" where that is not known.
func remaining(left time.Duration) string {
	if left <= 0 {
		return ""
	}
	return "  about " + left.Round(time.Second).String() + " left"
}

// say prints a separate line.
func (p *progress) say(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
	fmt.Fprintln(p.w, "deeprepo: "+termtext.Masked(line))
}

func (p *progress) redraw() {
	tick := time.NewTicker(120 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-p.stop:
			return
		case <-tick.C:
			p.mu.Lock()
			if p.seen {
				p.clear()
				width := p.width()
				line := p.counted
				if line == "" {
					line = p.line(p.last, width)
				}
				fmt.Fprint(p.w, fit(line, width))
				p.drawn = true
			}
			p.mu.Unlock()
		}
	}
}

func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}

// close removes the live line. It may be called again: commands close before they print, and the program when it ends.
func (p *progress) close() {
	p.ended.Do(func() { close(p.stop) })
	p.done.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clear()
}

// width is the terminal's, in columns.
func (p *progress) width() int {
	if f, ok := p.w.(*os.File); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 10 {
			return w
		}
	}
	return 80
}

func fit(line string, width int) string {
	if runes := []rune(line); len(runes) >= width {
		return string(runes[:width-1])
	}
	return line
}

func (p *progress) line(s rlm.Progress, width int) string {
	spent := money.Text(s.Spent, "$?")
	elapsed := time.Since(p.started).Round(time.Second)
	failed := ""
	if s.Failed > 0 {
		failed = fmt.Sprintf(" (%d failed)", s.Failed)
	}
	if width < 90 {
		return fmt.Sprintf("%d/%d %d/%d%s %.0f%% %s %s %s",
			s.Turn, s.MaxTurns, s.Dispatches, s.DispatchesTotal, failed, 100*s.Coverage, spent, elapsed, s.Doing)
	}
	return fmt.Sprintf("turn %d/%d  %-18s  dispatches %d/%d%s  coverage %3.0f%%  %s  %s",
		s.Turn, s.MaxTurns, s.Doing, s.Dispatches, s.DispatchesTotal, failed, 100*s.Coverage, spent, elapsed)
}
