package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// Operators lists all operators for Go: those of the training split, those held out, and the decoys of both.
func Operators() []plant.Operator {
	return []plant.Operator{
		sqlConcat(), lockDropped(), errorToNil(), nilMissing(), localCheck(), secretCompare(), weakToken(), escapeDropped(), ownerCheck(), loopBound(), andOr(), expiryFlipped(), prefixSwapped(), checkThenAct(), closeDropped(), unboundedCache(), resultIgnored(), commitDropped(), appendTruncates(), secondsToMillis(), secretInCode(),
		md5Tag(), constantOrder(), readonlyClose(), unlockedConstructor(), deMorgan(),

		shellCommand(), wrapLost(), hostCheck(), tlsUnverified(), signatureUnchecked(), limitShift(), rlockWrite(), cancelLost(), parseIgnored(), flushDropped(), cloneDropped(), contextDetached(), sortFlipped(), endInclusive(),
		jitter(), shellPositional(), countedFromOne(), builderIgnored(), earlyUnlock(),
	}
}

// sites guards what an operator looks at: programs, not their tests, and files that parse.
func sites(hint string, find func(s *source) []plant.Site) func(*plant.Project, string) []plant.Site {
	return func(p *plant.Project, path string) []plant.Site {
		if plant.IsTest(path) || plant.Language(path) != "go" || !strings.Contains(p.Text(path), hint) {
			return nil
		}
		if s := open(p, path); s != nil {
			return find(s)
		}
		return nil
	}
}
