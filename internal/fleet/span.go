package fleet

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Spans hold names, sizes and outcomes: nothing of an item's payload, and no reason, which may quote it.
var (
	tracer = otel.Tracer("github.com/deeprepo/deeprepo/internal/fleet")
	asItem = []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindProducer)}
	asWork = []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindConsumer)}
	asRoot = append(asWork[:1:1], trace.WithNewRoot()) // of an item that names no span
)

// traceField is what W3C's Trace Context calls its field.
const traceField = "traceparent"

// itemSpan begins the span of an item that is waited for.
func itemSpan(ctx context.Context, kind Kind, key string, bytes int) (context.Context, trace.Span) {
	ctx, span := tracer.Start(ctx, "fleet.item", asItem...)
	if span.IsRecording() {
		span.SetAttributes(attribute.String("deeprepo.item.kind", string(kind)), attribute.String("deeprepo.item.key", key),
			attribute.Int("deeprepo.item.bytes", bytes))
	}
	return ctx, span
}

// endItem ends it. w is nil where err is not.
func endItem(span trace.Span, w *call, err error) {
	if span.IsRecording() {
		if err == nil {
			err = w.err
		}
		_, dead := errors.AsType[*DeadError](err)
		outcome := "failed"
		switch {
		case err == nil:
			outcome = string(statusDone)
		case dead:
			outcome = string(statusDead)
		case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
			outcome = "given up"
		}
		outcomeOf(span, outcome)
	}
	span.End()
}

// outcomeOf says what became of an item; all but "done" is an error.
func outcomeOf(span trace.Span, outcome string) {
	if !span.IsRecording() {
		return
	}
	span.SetAttributes(attribute.String("deeprepo.item.status", outcome))
	if outcome != string(statusDone) {
		span.SetStatus(codes.Error, "")
	}
}

// traceparent is the span that ctx stands in, as an item carries it; "" without one.
func traceparent(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ""
	}
	fields := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, fields)
	return fields[traceField]
}

// workSpan begins the span of an item that a worker was handed, below the coordinator's if it names one that can be read.
func (w *worker) workSpan(ctx context.Context, h nats.Header, kind Kind, key string, delivery uint64) (context.Context, trace.Span) {
	if parent := h.Get(headTrace); parent != "" {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{traceField: parent})
	}
	as := asWork
	if !trace.SpanContextFromContext(ctx).IsRemote() {
		as = asRoot // the command that works for weeks is no parent
	}
	ctx, span := tracer.Start(ctx, "fleet.work", as...)
	if span.IsRecording() {
		span.SetAttributes(attribute.String("deeprepo.item.kind", string(kind)), attribute.String("deeprepo.item.key", key),
			attribute.String("deeprepo.worker", w.Name), attribute.Int64("deeprepo.item.delivery", int64(delivery)))
	}
	return ctx, span
}
