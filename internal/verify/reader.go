package verify

import (
	"context"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// reader finds the program in a sample's text.
type reader struct {
	extract  *extract.Extractor
	mode     extract.Mode // of samples that do not say it themselves
	override bool         // mode wins over what a sample says
}

// code is what a sample's text holds of a program.
func (r reader) code(ctx context.Context, t dataset.Task, s Sample) (extract.Extraction, error) {
	mode := s.Mode
	if mode == "" || r.override {
		mode = r.mode
	}
	if s.Solution != nil && (mode != extract.Chat || !r.override) {
		return r.extract.Whole(*s.Solution), nil
	}
	x, err := r.extract.Extract(ctx, t, s.Text(), mode)
	if err != nil {
		return x, fmt.Errorf("find the code in a reply to %s: %w", t.ID, err)
	}
	return x, nil
}

// rescued finds out whether only the name was wrong: whether a program passes once its only function has the name that the
// tests call. Nil where there is no such function, or no verdict.
func (r reader) rescued(ctx context.Context, t dataset.Task, code string, run func(code string) (Result, error)) (*bool, error) {
	code, ok, err := r.extract.Alias(ctx, t, code)
	if err != nil || !ok {
		return nil, err
	}
	again, err := run(code)
	if err != nil || again.Verdict == sandbox.InfraError {
		return nil, err
	}
	return &again.Passed, nil
}
