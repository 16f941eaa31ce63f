package localisation

import (
	"context"
	_ "embed"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
)

//go:embed patch.md
var patchText string

// What patch.md stands in for: what the preset says of fixes, in its first paragraph and its last for the root.
const (
	noFix = `Find the files, and in them the functions, that
a fix has to change. Do not fix anything, and do not review anything else.
`
	mayFix = "If you are sure of the fix you may put it before the lists, as a unified diff in a fence tagged `diff`.\n"
)

// askingForPatch is a preset that asks for a patch.
func askingForPatch(preset string) string {
	first, last, _ := strings.Cut(patchText, "\n---\n\n")
	return strings.NewReplacer(noFix, first, mayFix, last).Replace(preset)
}

// proposal is what is known of a proposed patch without running anything. null is what is not known: where none was proposed,
// and whether one parses that does not apply.
type proposal struct {
	PatchApplies *bool `json:"patch_applies"`
	PatchParses  *bool `json:"patch_parses"`
}

// propose tries a patch on a codebase. An error is ctx's, or that there is no parser.
func (e *Environment) propose(ctx context.Context, code *codebase.Codebase, patch string) (p proposal, err error) {
	if patch == "" {
		return p, nil
	}
	texts, err := Apply(code.Text, patch)
	if p.PatchApplies = new(err == nil); err != nil || e.cfg.Parser == nil {
		return p, nil
	}
	parser, err := e.cfg.Parser()
	if err == nil {
		p.PatchParses, err = Parses(ctx, parser, code.Text, texts)
	}
	return p, err
}
