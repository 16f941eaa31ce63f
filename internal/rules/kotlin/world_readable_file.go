package kotlin

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WorldReadableFile(p *rule.Pass) {
	for _, c := range p.MethodCalls("openFileOutput", "getSharedPreferences", "openOrCreateDatabase", "getDir") {
		if strings.Contains(p.Arg(c, 1).Text(), "MODE_WORLD_") {
			p.Report(c, "")
		}
	}
}
