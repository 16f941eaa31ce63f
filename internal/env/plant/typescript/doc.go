// Package typescript plants defects and decoys into TypeScript programs: one operator a file, each with samples of what
// it applies to and of what it leaves alone.
//
// An operator works on the shape of the code and knows no project. What is written has the style of what stood there,
// and leaves no import behind that nothing uses. An operator that is CrossFile has seen in the project's trees that
// another file relies on what it changes, and names that file.
//
// Types are known only as far as annotations show them, so an operator stays away from what it cannot be sure of.
package typescript

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

const language = "typescript"

// Operators lists all operators, those of training first.
func Operators() []plant.Operator {
	all := slices.Concat(
		[]plant.Operator{
			sqlInterpolation(), pathGuardDropped(), timingCompare(), weakToken(), authGuardDropped(), loopBound(), guardAnd(),
			awaitDropped(), lockDropped(), handleLeak(), swallowedError(), numericSort(), escapeDropped(), writeInPlace(),
			missingRecord(), secondsAsMillis(), sortOrder(), ownerFilter(),
			md5Etag(), constantColumn(), randomJitter(), inclusiveLoop(),
		},
		[]plant.Operator{
			shellCommand(), hostCheckDropped(), staticIV(), prototypeKey(), pageSlice(), expiryInverted(), clampSwapped(),
			markAfterAwait(), cacheUnbounded(), failOpen(), replaceFirst(), ackFirst(),
			inclusiveEnd(), centsFactor(), sharedArray(), segmentCharset(),
			looseNull(), constantCommand(), reverseLoop(), nestedClamp(),
		},
	)
	for i := range all {
		all[i] = tidied(all[i])
	}
	return all
}
