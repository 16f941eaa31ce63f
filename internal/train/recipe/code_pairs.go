package recipe

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/chat"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/pairs"
	"github.com/deeprepo/deeprepo/internal/train/dpo"
)

// ofCode says whether the pairs are programs: those in a directory that `deeprepo pairs build` has made.
func (d DPO) ofCode() bool {
	info, err := os.Stat(d.Pairs)
	return d.Pairs != "" && err == nil && info.IsDir()
}

// codePairs are the pairs of such a directory, as the policy reads and writes them: to learn from, and of other tasks.
func codePairs(p nano.Policy, dir string) (learn, held []dpo.Pair, err error) {
	if learn, err = codeFile(p, filepath.Join(dir, pairs.TrainName)); err != nil {
		return nil, nil, err
	}
	held, err = codeFile(p, filepath.Join(dir, pairs.HeldoutName))
	return learn, held, err
}

func codeFile(p nano.Policy, path string) ([]dpo.Pair, error) {
	all, err := pairs.ReadFile(path)
	if err != nil {
		return nil, hint.WrapMissing(err, "give a directory that `deeprepo pairs build` has made")
	}
	out := make([]dpo.Pair, len(all))
	for i, pair := range all {
		chosen, err := codeSide(p, pair.Prompt, pair.ChosenText(), 1)
		if err != nil {
			return nil, hint.Wrap(fmt.Errorf("%s:%d: %w", path, pair.Line, err), "pairs of code are for a model that chats: --from MODEL.gguf")
		}
		rejected, err := codeSide(p, pair.Prompt, pair.RejectedText(), 0)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, pair.Line, err)
		}
		out[i] = dpo.Pair{Task: pair.TaskID, Prompt: pair.PromptText(), Chosen: chosen, Rejected: rejected}
	}
	return out, nil
}

func codeSide(p nano.Policy, prompt []pairs.Message, answer string, reward float64) (side dpo.Side, err error) {
	var messages []chat.Message
	for _, m := range prompt {
		messages = append(messages, chat.Message{Role: m.Role, Text: m.Content})
	}
	tokens, own, err := p.Answer(messages, answer)
	side.Reward, side.Sequences = reward, []dpo.Sequence{{Tokens: tokens, Own: [][2]int{{own, len(tokens)}}}}
	return side, err
}
