package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
)

// beginSpan has all that a command does stand below one span with its name. Its arguments are not told: they name paths.
func (a *app) beginSpan(cmd *cobra.Command) {
	if strings.HasPrefix(cmd.Name(), "__") {
		return // a shell that completes a line
	}
	ctx, span := otel.Tracer("github.com/deeprepo/deeprepo/internal/cli").Start(cmd.Context(), cmd.CommandPath())
	cmd.SetContext(ctx)
	a.span = span
}

func (a *app) endSpan(err error) {
	if a.span == nil {
		return
	}
	code := exitOK
	if err != nil {
		code = exitCode(err)
	}
	a.span.SetAttributes(attribute.Int("process.exit.code", code))
	if code > exitNo {
		a.span.SetStatus(codes.Error, "")
	}
	a.span.End()
}
