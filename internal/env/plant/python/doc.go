// Package python holds the operators that plant defects and decoys into Python programs, one idea a file.
//
// Invariant: an operator applies only where the syntax tree shows that what its description says will be so; where a
// second file is concerned, calls.go has found the import and the call that prove it. Every operator's samples carry a
// proof: a script that passes before and fails after.
//
// It knows no types beyond annotations and constructors.
package python

import "github.com/deeprepo/deeprepo/internal/env/plant"

// Operators gives the Python operators in a fixed order: those of the training split first, each split's decoys last.
func Operators() []plant.Operator {
	all := []plant.Operator{
		sqlFormat(),
		timingCompare(),
		lockDropped(),
		pathCheck(),
		authCheck(),
		weakToken(),
		fastPassword(),
		unclosedFile(),
		swallowedException(),
		mutableDefault(),
		evictionDropped(),
		commitDropped(),
		orToAnd(),
		sliceEnd(),
		noneForRaise(),
		secondsAsMillis(),
		cleaningDropped(),
		raisesOther(),

		plainDigest(),
		constantTable(),
		finallyClose(),
		randomJitter(),
		manualLock(),

		rangeEnd(),
		resultIgnored(),
		hostSuffix(),
		escapeDropped(),
		failOpen(),
		closeOnSuccess(),
		stripCharacters(),
		appendTruncates(),
		lockSplit(),
		clampTurned(),
		comparisonTurned(),
		fewRounds(),
		basenameDropped(),
		evalLiteral(),
		shellString(),
		sortOrder(),
		copyDropped(),
		centsAsUnits(),
		swappedArguments(),

		lengthIndex(),
		readOnlyDefault(),
		quotedShell(),
		missingIsFine(),
	}
	for i := range all {
		all[i] = tidied(all[i])
	}
	return all
}
