package llm

import (
	"cmp"
	"context"
	"path"
	"strings"

	"github.com/deeprepo/deeprepo/internal/money"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

var (
	tracer = otel.Tracer("github.com/deeprepo/deeprepo/internal/llm")
	client = trace.WithSpanKind(trace.SpanKindClient)
)

// withSpan gives each call a span by the conventions for generative AI: names, counts and a cost, and nothing that was asked
// or answered.
func withSpan(m Model, h Handle) Model {
	provider, name := spanNames(h)
	title := "chat " + name
	return Func(func(ctx context.Context, r Request) (resp Response, err error) {
		ctx, span := tracer.Start(ctx, title, client)
		defer span.End() // of a panic, too
		resp, err = m.Complete(ctx, r)
		if span.IsRecording() {
			span.SetAttributes(attribute.String("gen_ai.operation.name", "chat"), attribute.String("gen_ai.provider.name", provider),
				attribute.String("gen_ai.request.model", name))
			span.SetAttributes(spanCounts(h, resp, err)...)
			if err != nil {
				span.SetAttributes(attribute.String("error.type", cmp.Or(string(KindOf(err)), "_OTHER")))
				span.SetStatus(codes.Error, "")
			}
		}
		return resp, err
	})
}

// spanNames are a model's provider and name. A name that is a path, as of weights on this machine, is told by its end.
func spanNames(h Handle) (provider, model string) {
	provider, model, _ = strings.Cut(h.Name, "/")
	slashed := strings.ReplaceAll(model, `\`, "/")
	if h.Local || strings.HasPrefix(slashed, "/") || strings.HasPrefix(slashed, ".") || strings.HasPrefix(slashed, "~") {
		model = path.Base(slashed)
	}
	return provider, model
}

// spanCounts are what a call consumed, the attempts before its last one included. What is not known is left out.
func spanCounts(h Handle, resp Response, err error) []attribute.KeyValue {
	u, earlier := UsageOf(resp), resp.Earlier.Attempts
	if err != nil {
		u, earlier = FailedUsage(err, h.Price), 0
		if e, ok := asError(err); ok {
			earlier = e.Earlier.Attempts
		}
	}
	counts := []attribute.KeyValue{attribute.Int("deeprepo.attempts", earlier+1)}
	if u.InputTokens > 0 || u.OutputTokens > 0 {
		counts = append(counts, attribute.Int64("gen_ai.usage.input_tokens", u.InputTokens),
			attribute.Int64("gen_ai.usage.output_tokens", u.OutputTokens))
	}
	if u.CostPico != nil && u.AtMostPico == nil { // exactly
		counts = append(counts, attribute.Float64("deeprepo.cost_usd", money.USD(*u.CostPico).Float64()))
	}
	return counts
}
