package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// recorder holds the spans of all tests: a process has one provider.
var recorder = sync.OnceValue(func() *tracetest.InMemoryExporter {
	e := tracetest.NewInMemoryExporter()
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSyncer(e)))
	return e
})

// traced gives a context with a span of its own, and the ended spans of its trace: the test fails if there are not n of them
// in time.
func traced(t *testing.T) (ctx context.Context, ended func(name string, n int) tracetest.SpanStubs) {
	all := recorder()
	ctx, root := otel.Tracer("test").Start(t.Context(), "root")
	t.Cleanup(func() { root.End() })
	return ctx, func(name string, n int) tracetest.SpanStubs {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
			of := slices.DeleteFunc(all.GetSpans(), func(s tracetest.SpanStub) bool {
				return s.Name != name || s.SpanContext.TraceID() != root.SpanContext().TraceID()
			})
			if len(of) >= n {
				return of
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d spans %s, want %d", len(of), name, n)
			}
		}
	}
}

func attributes(s tracetest.SpanStub) map[attribute.Key]attribute.Value {
	m := map[attribute.Key]attribute.Value{}
	for _, a := range s.Attributes {
		m[a.Key] = a.Value
	}
	return m
}

func events(s tracetest.SpanStub) []string {
	var names []string
	for _, e := range s.Events {
		names = append(names, e.Name)
	}
	return names
}

func TestATraceGoesFromTheCommandToTheWorker(t *testing.T) {
	ctx, ended := traced(t)
	h := start(t, 0)
	work(t, h, "one", 1, echo)
	j := judge(t, h)
	const secret = "print('nobody else reads this')"
	for range 2 { // the second is known
		if _, err := j.Exec(ctx, sandbox.Program{Code: secret}); err != nil {
			t.Fatal(err)
		}
	}
	items, works := ended("fleet.item", 2), ended("fleet.work", 2)
	for i, item := range items {
		w := works[i]
		if item.Parent.SpanID() != trace.SpanContextFromContext(ctx).SpanID() {
			t.Error("the item does not stand below the command")
		}
		if w.Parent.SpanID() != item.SpanContext.SpanID() || !w.Parent.IsRemote() {
			t.Errorf("the work stands below %v, not below its item", w.Parent.SpanID())
		}
		of, by := attributes(item), attributes(w)
		if of["deeprepo.item.kind"].AsString() != "judge" || of["deeprepo.item.bytes"].AsInt64() < int64(len(secret)) ||
			of["deeprepo.item.status"].AsString() != "done" || len(of["deeprepo.item.key"].AsString()) != 40 {
			t.Errorf("item %v", of)
		}
		if by["deeprepo.worker"].AsString() != "one" || by["deeprepo.item.delivery"].AsInt64() != 1 ||
			by["deeprepo.item.status"].AsString() != "done" || by["deeprepo.item.key"] != of["deeprepo.item.key"] {
			t.Errorf("work %v", by)
		}
	}
	if first, second := events(works[0]), events(works[1]); len(first) > 0 || !slices.Equal(second, []string{"known"}) {
		t.Errorf("events %v and %v", first, second)
	}
	if text := fmt.Sprintf("%+v", slices.Concat(items, works)); strings.Contains(text, "nobody") {
		t.Errorf("a span holds the program: %s", text)
	}
}

func TestFaultsAndDeathsAreSeenWithoutTheirReasons(t *testing.T) {
	ctx, ended := traced(t)
	h := start(t, 0)
	work(t, h, "one", 1, func(context.Context, sandbox.Program) (sandbox.Judgement, error) {
		return sandbox.Judgement{}, errors.New("a reason that quotes a program")
	})
	_, err := judge(t, h).Exec(ctx, sandbox.Program{Code: "pass"})
	if _, dead := errors.AsType[*fleet.DeadError](err); !dead {
		t.Fatal(err)
	}
	items, works := ended("fleet.item", 1), ended("fleet.work", fleet.MostDeliveries)
	if got := attributes(items[0])["deeprepo.item.status"].AsString(); got != "dead" {
		t.Errorf("the item is %s", got)
	}
	for i, want := range []string{"fault", "fault", "dead"} {
		if got := events(works[i]); !slices.Equal(got, []string{want}) || attributes(works[i])["deeprepo.item.delivery"].AsInt64() != int64(i+1) {
			t.Errorf("delivery %d: %v %v", i+1, got, works[i].Attributes)
		}
	}
	if text := fmt.Sprintf("%+v", slices.Concat(items, works)); strings.Contains(text, "quotes") {
		t.Errorf("a span holds a reason: %s", text)
	}
}

// Programs that travel together belong to the command, too.
func TestBatchesStandBelowTheCommand(t *testing.T) {
	ctx, ended := traced(t)
	h := start(t, 0)
	j := judge(t, h)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			if _, err := j.Exec(ctx, sandbox.Program{Code: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(50 * time.Millisecond) // they queue
	work(t, h, "one", 1, echo)
	wg.Wait()
	items := ended("fleet.item", 1)
	var bytes []int64
	for _, item := range items {
		bytes = append(bytes, attributes(item)["deeprepo.item.bytes"].AsInt64())
	}
	if slices.Max(bytes) < 3*slices.Min(bytes) {
		t.Errorf("items of %v bytes: none of several programs", bytes)
	}
	if n := len(ended("fleet.work", len(items))); n != len(items) {
		t.Errorf("%d items and %d works", len(items), n)
	}
}

func TestATraceThatCannotBeReadIsIgnored(t *testing.T) {
	for _, header := range []string{"", "00-0-0-0", "nonsense", strings.Repeat("0", 1<<10), "00-" + strings.Repeat("0", 32) + "-" +
		strings.Repeat("0", 16) + "-01"} {
		recorder()
		ctx, _ := otel.Tracer("test").Start(t.Context(), "the worker's command")
		span := fleet.WorkSpan(ctx, header)
		if sc := span.SpanContext(); sc.TraceID() == trace.SpanContextFromContext(ctx).TraceID() {
			t.Errorf("%q: the item stands below the worker's command", header)
		}
		if parent := span.(sdktrace.ReadOnlySpan).Parent(); parent.IsValid() {
			t.Errorf("%q: a parent %v", header, parent)
		}
	}
}

func FuzzTraceOfAnItem(f *testing.F) {
	f.Add("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	f.Add("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more")
	f.Add("")
	f.Fuzz(func(t *testing.T, header string) {
		recorder()
		span := fleet.WorkSpan(t.Context(), header)
		defer span.End()
		parent := trace.SpanContextFromContext(t.Context())
		if s, ok := span.(sdktrace.ReadOnlySpan); ok {
			parent = s.Parent()
		}
		if parent.IsValid() && !strings.Contains(header, parent.TraceID().String()) {
			t.Errorf("%q gives the parent %v", header, parent)
		}
		if !span.SpanContext().IsValid() {
			t.Errorf("%q: no span", header)
		}
	})
}
