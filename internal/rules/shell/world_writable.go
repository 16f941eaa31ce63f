package shell

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// buildOutput matches what a build makes in its own directory.
var buildOutput = regexp.MustCompile(`^(\./)?(target|build|dist|out|coverage|reports?)/`)

func (*checks) WorldWritable(p *rule.Pass) {
	for _, c := range commands(p, "chmod") {
		var mode string
		temporary, device, built := false, false, false
		for _, w := range words(c)[1:] {
			t := bare(w)
			if rule.OneOf(t, "777", "0777", "666", "0666", "a+w", "o+w", "a+rw", "a+rwx", "o+rw", "ugo+w", "ugo+rwx") {
				mode = t
			}
			temporary = temporary || strings.Contains(strings.ToLower(t), "tmp") || strings.Contains(strings.ToLower(t), "temp")
			device = device || strings.HasPrefix(t, "/dev/") || strings.HasPrefix(t, "/sys/") || strings.HasPrefix(t, "/proc/")
			built = built || buildOutput.MatchString(t)
		}
		if mode != "" && !temporary && !device && !built {
			p.Report(c, mode)
		}
	}
}
