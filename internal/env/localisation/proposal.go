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

// propose says of a proposed patch what is known without running anything: whether it applies to a codebase, and whether the files
// that it leaves parse. nil is what is not known. An error is ctx's, or that there is no parser.
func (e *Environment) propose(ctx context.Context, code *codebase.Codebase, patch string) (applies, parses *bool, err error) {
	if patch == "" {
		return nil, nil, nil
	}
	texts, err := Apply(code.Text, patch)
	if applies = new(err == nil); err != nil || e.cfg.Parser == nil {
		return applies, nil, nil
	}
	parser, err := e.cfg.Parser()
	if err == nil {
		parses, err = Parses(ctx, parser, code.Text, texts)
	}
	return applies, parses, err
}
