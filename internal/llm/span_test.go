package llm

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/money"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/codes"
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

// spanOf makes a call below a span of its own, and gives the call's one span with its attributes as text.
func spanOf(t *testing.T, m Model) (tracetest.SpanStub, map[string]string) {
	t.Helper()
	all := recorder()
	ctx, root := otel.Tracer("test").Start(t.Context(), "root")
	_, _ = m.Complete(ctx, Request{System: "secret system", Messages: []Message{{Role: RoleUser, Content: "secret prompt"}}})
	var found []tracetest.SpanStub
	for _, s := range all.GetSpans() {
		if s.Parent.SpanID() == root.SpanContext().SpanID() {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d spans for one call", len(found))
	}
	if text := fmt.Sprintf("%+v", found); strings.Contains(text, "secret") {
		t.Errorf("a span holds what was asked or answered: %s", text)
	}
	attributes := map[string]string{}
	for _, a := range found[0].Attributes {
		attributes[string(a.Key)] = a.Value.String()
	}
	return found[0], attributes
}

func TestACallsSpan(t *testing.T) {
	for _, tt := range []struct {
		what    string
		replies []error // nil: an answer
		usage   Usage
		want    string // attributes
		absent  []string
	}{
		{"an answer", []error{nil}, Usage{InputTokens: 100, OutputTokens: 10},
			"deeprepo.attempts=1 gen_ai.usage.input_tokens=100 gen_ai.usage.output_tokens=10 deeprepo.cost_usd=0.00045", []string{"error.type"}},
		{"an answer at the second attempt", []error{&Error{Kind: KindOverloaded, Status: 503, Message: "secret"}, nil},
			Usage{InputTokens: 100, OutputTokens: 10}, "deeprepo.attempts=2 gen_ai.usage.output_tokens=10 deeprepo.cost_usd=0.00045", nil},
		{"an answer without a count", []error{nil}, Usage{}, "deeprepo.attempts=1",
			[]string{"gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "deeprepo.cost_usd"}},
		{"a refusal", []error{&Error{Kind: KindAuth, Status: 401, Message: "secret"}}, Usage{},
			"deeprepo.attempts=1 error.type=auth deeprepo.cost_usd=0", []string{"gen_ai.usage.input_tokens"}},
		{"a failure that may have been billed", []error{&Error{Kind: KindInvalid, Message: "secret"}}, Usage{},
			"error.type=invalid_reply", []string{"deeprepo.cost_usd", "gen_ai.usage.input_tokens"}},
		{"a failure of no kind", []error{fmt.Errorf("secret")}, Usage{}, "error.type=_OTHER", nil},
	} {
		calls := 0
		provider := Func(func(context.Context, Request) (Response, error) {
			calls++
			if err := tt.replies[calls-1]; err != nil {
				return Response{}, err
			}
			return Response{Text: "secret answer", Finish: FinishStop, Usage: tt.usage}, nil
		})
		h := Handle{Name: "openai/gpt", Model: provider, Price: &Price{Input: 3 * money.Dollar, Output: 15 * money.Dollar}}
		s, got := spanOf(t, Stack(h, StackConfig{Retry: RetryConfig{Base: 1}}))
		if s.Name != "chat gpt" || s.SpanKind != trace.SpanKindClient {
			t.Errorf("%s: %s, %v", tt.what, s.Name, s.SpanKind)
		}
		want := "gen_ai.operation.name=chat gen_ai.provider.name=openai gen_ai.request.model=gpt " + tt.want
		for _, pair := range strings.Fields(want) {
			key, value, _ := strings.Cut(pair, "=")
			if got[key] != value {
				t.Errorf("%s: %s is %q, want %q", tt.what, key, got[key], value)
			}
		}
		for _, key := range tt.absent {
			if value, there := got[key]; there {
				t.Errorf("%s: %s is %q, and nobody knows it", tt.what, key, value)
			}
		}
		if failed := strings.Contains(tt.want, "error.type"); failed != (s.Status.Code == codes.Error) || s.Status.Description != "" {
			t.Errorf("%s: status %+v", tt.what, s.Status)
		}
	}
}

func TestAModelsNameIsNoPath(t *testing.T) {
	for _, tt := range []struct {
		h               Handle
		provider, model string
	}{
		{Handle{Name: "openrouter/minimax/minimax-m2.5"}, "openrouter", "minimax/minimax-m2.5"},
		{Handle{Name: "nano/work/customer/runs/grpo-1", Local: true}, "nano", "grpo-1"},
		{Handle{Name: `nano/C:\work\grpo-1`, Local: true}, "nano", "grpo-1"},
		{Handle{Name: "nano/runs/base:runs/other/adapter", Local: true}, "nano", "adapter"},
		{Handle{Name: "openai//data/customer/weights"}, "openai", "weights"},
		{Handle{Name: "ollama/qwen2.5:1.5b", Local: true}, "ollama", "qwen2.5:1.5b"},
	} {
		if provider, model := spanNames(tt.h); provider != tt.provider || model != tt.model {
			t.Errorf("%s: %s and %s", tt.h.Name, provider, model)
		}
	}
}

func TestACachedReplyHasNoSpan(t *testing.T) {
	cache := openCache(t, CacheConfig{})
	provider := Func(func(context.Context, Request) (Response, error) { return Response{Text: "a", Finish: FinishStop}, nil })
	m := Stack(Handle{Name: "p/m", Model: provider, Price: NotBilled()}, StackConfig{Cache: cache})
	spanOf(t, m)
	all := len(recorder().GetSpans())
	ctx, root := otel.Tracer("test").Start(t.Context(), "root")
	r, err := m.Complete(ctx, Request{System: "secret system", Messages: []Message{{Role: RoleUser, Content: "secret prompt"}}})
	root.End()
	if n := len(recorder().GetSpans()) - all; n != 1 || err != nil || !r.FromCache {
		t.Errorf("%d spans, %+v, %v", n, r, err)
	}
}
