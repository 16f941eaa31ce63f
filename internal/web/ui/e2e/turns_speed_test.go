package e2e

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/deeprepo/deeprepo/internal/view"
)

// traced is a finished review whose trace has n events.
func traced(t *testing.T, name string, n int) string {
	t.Helper()
	return run(t, name, func(dir string) {
		j := startReview(t, name)
		j.fill(n)
		if err := os.CopyFS(dir, os.DirFS(j.path)); err != nil {
			t.Fatal(err)
		}
	})
}

// The page's own work is measured in time of its main thread's processor, which is the same on a machine that has other
// things to do. What a reader waits, which on such a machine is a matter of luck, is only logged.
func TestTurnsSpeed(t *testing.T) {
	needBrowser(t)
	for _, c := range []struct {
		name   string
		events int
		open   time.Duration // the most work until the timeline stands
	}{
		{"trace-10k", 10_000, 300 * time.Millisecond},
		{"trace-100k", 100_000, 2 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := traced(t, c.name, c.events)
			place := serve(t, dir) + "/#/run/" + view.ID(dir) + "/turns"
			for _, when := range []string{"the server has not read the trace yet", "the server knows the trace"} {
				p := newPage(t)
				p.Open(place)
				p.Until("the timeline", "document.querySelector('.turn-row')")
				var paint, rows float64
				p.Eval("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1", &paint)
				p.Eval("performance.getEntriesByName('turns')[0]?.startTime ?? -1", &rows)
				t.Logf("%s: first paint after %.0f ms, the timeline after %.0f ms", when, paint, rows)
			}
			p := open(t, dir)
			if _, err := chromedp.Call(p.ctx, performance.Enable,
				performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
				t.Fatal(err)
			}
			p.WaitFor("nav[aria-label^=Sections] a")
			before := p.work()
			p.Go("turns")
			p.Until("the timeline", "document.querySelector('.turn-row')")
			took := p.work() - before
			t.Logf("the page worked %v until its timeline stood", took.Round(time.Millisecond))
			if took > c.open {
				t.Errorf("the page worked %v until its timeline stood; %v are allowed", took, c.open)
			}
			p.scroll(t)
		})
	}
}

// work is how long the page's main thread has worked so far.
func (p *Page) work() time.Duration {
	p.t.Helper()
	metrics, err := chromedp.Call(p.ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, m := range metrics.Metrics {
		if m.Name == "TaskDuration" {
			return time.Duration(m.Value * float64(time.Second))
		}
	}
	p.t.Fatal("the browser does not say how long it worked")
	return 0
}

// scroll turns the wheel over the timeline for a while and looks at the frames.
func (p *Page) scroll(t *testing.T) {
	t.Helper()
	p.Until("rest", "!document.querySelector('[aria-busy=true]')")
	p.Eval(`(() => { window.frames_ = []; let last = performance.now(); const tick = now => { frames_.push(now - last); last = now; `+
		`if (frames_.length < 5000) requestAnimationFrame(tick); }; requestAnimationFrame(tick); return true; })()`, nil)
	before := p.work()
	var top float64
	for end := time.Now().Add(4 * time.Second); time.Now().Before(end); {
		p.do("turn the wheel", chromedp.MouseEvent(input.DispatchMouseEventTypeMouseWheel, 200, 600, func(e *input.DispatchMouseEventParams) {
			e.DeltaX, e.DeltaY = 1e-6, 300 // the browser wants both, and a 0 is not sent
		}))
	}
	took := p.work() - before
	var frames []float64
	p.Eval("frames_.slice(3)", &frames)
	p.Eval("document.querySelector('.turn-list').scrollTop", &top)
	if top < 1000 || len(frames) < 20 {
		t.Fatalf("scrolled to %v in %d frames", top, len(frames))
	}
	work := took.Seconds() * 1000 / float64(len(frames))
	slices.Sort(frames)
	t.Logf("scrolled %.0f pixels in %d frames: median %.1f ms, 95th percentile %.1f ms, slowest %.1f ms; the page worked %.1f ms a frame",
		top, len(frames), frames[len(frames)/2], frames[len(frames)*95/100], frames[len(frames)-1], work)
	if work > 1000.0/60 {
		t.Errorf("the page worked %.1f ms a frame: it cannot draw 60 a second", work)
	}
}
