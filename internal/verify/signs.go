package verify

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/llm"
)

// Signs that a sample's text shows whatever its verdict is.
const (
	// SignFence: it holds a Markdown fence.
	SignFence = "fence"
	// SignSpecial: it holds a model's special token, such as <|endoftext|>.
	SignSpecial = "special-token"
	// SignSpecialFirst: that is the first thing in it.
	SignSpecialFirst = "special-token-first"
	// SignCut: the file says that the model was stopped by its limit of tokens.
	SignCut = "cut"
)

// signs are those of a sample.
func signs(s Sample) []string {
	var found []string
	text := s.Text()
	if strings.Contains(text, "```") {
		found = append(found, SignFence)
	}
	if at, _ := extract.SpecialToken(text); at >= 0 {
		found = append(found, SignSpecial)
		if strings.TrimSpace(text[:at]) == "" {
			found = append(found, SignSpecialFirst)
		}
	}
	if strings.EqualFold(string(s.Finish), string(llm.FinishLength)) || strings.EqualFold(string(s.Finish), "max_tokens") {
		found = append(found, SignCut)
	}
	return found
}
