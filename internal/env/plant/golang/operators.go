package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// Operators lists all operators for Go: those of the training split, those held out, and the decoys of both.
func Operators() []plant.Operator {
	return []plant.Operator{
		// training
		sqlConcat(), localCheck(), escapeDropped(), ownerCheck(), secretCompare(), weakToken(), secretInCode(),
		lockDropped(), checkThenAct(), closeDropped(), unboundedCache(),
		errorToNil(), nilMissing(), commitDropped(), appendTruncates(),
		loopBound(), andOr(), expiryFlipped(), prefixSwapped(), resultIgnored(), secondsToMillis(),
		md5Tag(), constantOrder(), readonlyClose(), unlockedConstructor(), deMorgan(),
		// held out
		shellCommand(), hostCheck(), tlsUnverified(), signatureUnchecked(),
		rlockWrite(), cloneDropped(), cancelLost(), contextDetached(),
		wrapLost(), parseIgnored(), flushDropped(),
		limitShift(), sortFlipped(), endInclusive(),
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
