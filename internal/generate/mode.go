package generate

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
)

// Mode is a way to ask for a program.
type Mode string

// The modes.
const (
	Auto     Mode = "auto"     // as [Pick] finds best for the model
	Chat     Mode = "chat"     // an instruction; the answer is in a code fence
	Complete Mode = "complete" // code that the model continues; for base models
	FewShot  Mode = "fewshot"  // solved tasks first, each between [BEGIN] and [DONE]
)

// Modes are all of them.
func Modes() []Mode { return []Mode{Auto, Chat, Complete, FewShot} }

// ParseMode reads a mode's name; "" is [Auto].
func ParseMode(name string) (Mode, error) {
	if name == "" {
		return Auto, nil
	}
	var names []string
	for _, m := range Modes() {
		if string(m) == name {
			return m, nil
		}
		names = append(names, string(m))
	}
	return "", hint.Wrap(fmt.Errorf("there is no prompting mode %q", name), "modes: "+strings.Join(names, ", "))
}

// Pick is the mode for a model when none was asked for: complete for those that are known to be base models and can be
// given a raw prompt, chat for all others. A base model behind a chat template answers badly, and the other way round;
// but only the name tells which one is served, so a caller does well to say what was picked.
func Pick(h llm.Handle) Mode {
	if h.Raw && isBase(h.Name) {
		return Complete
	}
	return Chat
}

// isBase goes by a model's name: it says "base", or it is of a family whose plain name is the base model's.
func isBase(model string) bool {
	words := strings.FieldsFunc(strings.ToLower(model), func(r rune) bool { return strings.ContainsRune("/-_.: ", r) })
	base := false
	for i, w := range words {
		switch w {
		case "instruct", "chat", "it", "sft", "dpo", "assistant":
			return false
		case "base", "pretrain", "pretrained", "pt", "starcoder", "starcoderbase", "starcoder2", "codegen", "codegen2", "santacoder",
			"codellama", "incoder":
			base = base || i > 0 // the first word is the provider
		}
	}
	return base
}
