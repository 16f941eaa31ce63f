package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// durationUnit reads a number of seconds as milliseconds, or the other way round, against the number's own name.
func durationUnit() plant.Operator {
	seconds, millis := regexp.MustCompile(`(?i)(seconds|secs)(\(\))?$`), regexp.MustCompile(`(?i)millis(\(\))?$`)
	return plant.Operator{
		Name: "java/duration-unit", Language: language, Split: env.Heldout, Category: "api-misuse", CWE: "CWE-628", Severity: "high",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for call := range f.root.Find("method_invocation") {
				as, on, wrong := args(call), receiver(call).Text(), ""
				if len(as) == 1 && on == "Duration" {
					switch name := called(call); {
					case name == "ofSeconds" && seconds.MatchString(as[0].Text()):
						wrong = "ofMillis"
					case name == "ofMillis" && millis.MatchString(as[0].Text()):
						wrong = "ofSeconds"
					default:
						continue
					}
					found = append(found, plant.Site{Edits: []plant.Edit{f.replace(call, "Duration."+wrong+call.ChildByField("arguments").Text())},
						Description: fmt.Sprintf("%s reads %s with Duration.%s, so that the time is wrong by a factor of a thousand", methodName(call), short(as[0].Text()), wrong)})
					continue
				}
				for i := 1; i < len(as); i++ {
					switch {
					case as[i].Text() == "TimeUnit.SECONDS" && seconds.MatchString(as[i-1].Text()):
						wrong = "MILLISECONDS"
					case as[i].Text() == "TimeUnit.MILLISECONDS" && millis.MatchString(as[i-1].Text()):
						wrong = "SECONDS"
					default:
						continue
					}
					found = append(found, plant.Site{Edits: []plant.Edit{f.replace(as[i], "TimeUnit."+wrong)},
						Description: fmt.Sprintf("%s hands %s to %s as TimeUnit.%s, so that the time is wrong by a factor of a thousand", methodName(call), short(as[i-1].Text()), called(call), wrong)})
				}
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  Duration f(int timeoutSeconds) {\n    return Duration.ofSeconds(timeoutSeconds);\n  }\n}\n", "ofSeconds", "ofMillis"),
			sample("class A{void f(Process p)throws Exception{p.waitFor( cfg.graceSeconds(),TimeUnit.SECONDS );}}\n", "TimeUnit.SECONDS", "TimeUnit.MILLISECONDS"),
		},
		Never: []string{
			"class A {\n  Duration f(int timeoutSeconds) {\n    return Duration.ofMillis(timeoutSeconds);\n  }\n}\n",
			"class A {\n  Duration f(int wait) {\n    return Duration.ofSeconds(wait).plus(Duration.ofMillis(5));\n  }\n}\n",
		},
	}
}
