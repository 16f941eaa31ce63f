package orchestrationv1

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/env/difflib"
)

// The weights of the reward's parts, and the similarity from which a bullet counts as a finding.
const (
	coverageWeight   = 0.5
	recallWeight     = 0.3
	efficiencyWeight = 0.2
	similar          = 0.4
)

// Parts are the three parts of a reward, each between 0 and 1.
type Parts struct{ Coverage, Recall, Efficiency float64 }

// Reward is delegation_reward: min(1, 0.5·coverage + 0.3·recall + 0.2·efficiency).
func (p Parts) Reward() float64 {
	// The conversions keep compilers from fusing products into sums, which Python does not.
	return min(float64(p.Coverage*coverageWeight)+float64(p.Recall*recallWeight)+float64(p.Efficiency*efficiencyWeight), 1)
}

// Coverage is the share of files that were named in a prompt: min(unique / max(totalFiles, 1), 1). totalFiles is whatever
// the rollout left in metadata["total_files"], which is why it need not be a whole number.
func Coverage(unique int, totalFiles float64) float64 {
	return min(float64(unique)/max(totalFiles, 1), 1)
}

// Recall is the share of truths that some bullet resembles: SequenceMatcher(None, truth, bullet).ratio() >= 0.4, both in
// lower case. Without truths it is 0.5, without bullets 0.
func Recall(bullets, truths []string) float64 {
	if len(truths) == 0 {
		return 0.5
	}
	missing := make([]string, len(truths))
	for i, truth := range truths {
		missing[i] = difflib.Lower(truth)
	}
	seen := make(map[string]bool, len(bullets))
	for _, bullet := range bullets {
		bullet = difflib.Lower(bullet)
		if seen[bullet] {
			continue
		}
		seen[bullet] = true
		m := difflib.NewMatcher(bullet)
		kept := missing[:0]
		for _, truth := range missing {
			if !m.AtLeast(truth, similar) {
				kept = append(kept, truth)
			}
		}
		missing = kept
	}
	return float64(len(truths)-len(missing)) / float64(len(truths))
}

// Bullets are the lines of an answer that count as findings: those that begin with "- ", "* " or "• " and have more than
// 10 characters after their marks.
func Bullets(answer string) []string {
	var found []string
	for _, line := range strings.Split(answer, "\n") {
		line = strings.TrimFunc(line, isSpace)
		if !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "* ") && !strings.HasPrefix(line, "• ") {
			continue
		}
		line = strings.TrimFunc(strings.TrimLeft(line, "-*• "), isSpace)
		if utf8.RuneCountInString(line) > 10 {
			found = append(found, line)
		}
	}
	return found
}

// Efficiency is 1 up to 8 turns, falls by 1/14 a turn up to 15, and is 0.1 after that. It is paid whether or not anything
// was done in those turns.
func Efficiency(turns int) float64 {
	switch {
	case turns <= 8:
		return 1
	case turns <= 15:
		return 1 - float64(turns-8)/14
	}
	return 0.1
}

// isSpace is Python's str.isspace(): the white space of Unicode and the four separators of ASCII.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }
