package typescript

import "regexp"

var delayName = regexp.MustCompile(`(?i)delay|wait|backoff|pause|interval|sleep|ms$|millis$`)

// RandomJitter spreads a delay with Math.random: nobody gains from guessing how long a pause is.
func (*operators) RandomJitter(f file) {
	for call, args := range f.calls("setTimeout") {
		if len(args) != 2 || !simple(args[1]) || !delayName.MatchString(lastName(args[1])) {
			continue
		}
		f.Report(f.Replace(args[1], args[1].Text()+" + Math.floor(Math.random() * 50)"),
			"Math.random only spreads the pause of %s by a few milliseconds, so that nothing is gained by guessing it.", where(call))
	}
}
