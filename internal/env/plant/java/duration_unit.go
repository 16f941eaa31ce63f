package java

import "regexp"

var secondsText, millisText = regexp.MustCompile(`(?i)(seconds|secs)(\(\))?$`), regexp.MustCompile(`(?i)millis(\(\))?$`)

// DurationUnit reads a number of seconds as milliseconds, or the other way round, against the number's own name.
func (*operators) DurationUnit(f file) {
	for call := range f.Root.Find("method_invocation") {
		as, on, wrong := args(call), receiver(call).Text(), ""
		if len(as) == 1 && on == "Duration" {
			switch name := called(call); {
			case name == "ofSeconds" && secondsText.MatchString(as[0].Text()):
				wrong = "ofMillis"
			case name == "ofMillis" && millisText.MatchString(as[0].Text()):
				wrong = "ofSeconds"
			default:
				continue
			}
			f.Report(f.Replace(call, "Duration."+wrong+call.ChildByField("arguments").Text()),
				"%s reads %s with Duration.%s, so that the time is wrong by a factor of a thousand", methodName(call), short(as[0].Text()), wrong)
			continue
		}
		for i := 1; i < len(as); i++ {
			switch {
			case as[i].Text() == "TimeUnit.SECONDS" && secondsText.MatchString(as[i-1].Text()):
				wrong = "MILLISECONDS"
			case as[i].Text() == "TimeUnit.MILLISECONDS" && millisText.MatchString(as[i-1].Text()):
				wrong = "SECONDS"
			default:
				continue
			}
			f.Report(f.Replace(as[i], "TimeUnit."+wrong), "%s hands %s to %s as TimeUnit.%s, so that the time is wrong by a factor of a thousand",
				methodName(call), short(as[i-1].Text()), called(call), wrong)
		}
	}
}
