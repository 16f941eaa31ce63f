package shell

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WorldWritable(p *rule.Pass) {
	for _, c := range commands(p, "chmod") {
		var mode string
		temporary, device := false, false
		for _, w := range words(c)[1:] {
			t := bare(w)
			if rule.OneOf(t, "777", "0777", "666", "0666", "a+w", "o+w", "a+rw", "a+rwx", "o+rw", "ugo+w", "ugo+rwx") {
				mode = t
			}
			temporary = temporary || strings.Contains(strings.ToLower(t), "tmp") || strings.Contains(strings.ToLower(t), "temp")
			device = device || strings.HasPrefix(t, "/dev/") || strings.HasPrefix(t, "/sys/") || strings.HasPrefix(t, "/proc/")
		}
		if mode != "" && !temporary && !device {
			p.Report(c, mode)
		}
	}
}
