package finding

import "github.com/deeprepo/deeprepo/internal/pattern"

// A refusal opens with an apology or with what the model will not do. "I cannot find a defect" is an answer.
var (
	apology  = pattern.New(`(?i)^\W*(?:i(?:['’]|\s+a)m\s+(?:(?:very|so|really|truly)\s+)?sorry|sorry,|my apologies)`)
	declines = pattern.New(`(?i)^\W*(?:(?:unfortunately|as an ai)\b.{0,60}?)?\bi\s*(?:can(?:['’]?t|not| not)|won['’]?t|must decline|` +
		`(?:['’]m|\s+am)\s+(?:unable|not able|not allowed)(?:\s+to)?)\s+(?:be able to\s+)?` +
		`(?:to\s+)?(?:help|assist|comply|review|analy[sz]e|fulfill?|provide|process|discuss|do|continue|access|answer|engage|support)\b`)
)

// Refused says whether the reply declines to answer: an apology or a refusal, in prose or as the summary, without a finding.
func (p Parsed) Refused() bool {
	return len(p.Findings) == 0 && (apology.MatchString(p.Summary) || declines.MatchString(p.Summary))
}
