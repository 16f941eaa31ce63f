package localisation

import (
	"context"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Gold is what an answer should rank.
func (r Record) Gold(ctx context.Context, code *codebase.Codebase, parser func() (*syntax.Parser, error)) (Answer, error) {
	return r.gold(ctx, code, parser)
}
