package golang

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// WorldWritableFile looks for permissions that let everybody write.
func (*checks) WorldWritableFile(p *rule.Pass) {
	for _, call := range p.Calls() {
		chmod := callTo(p, call, "os", "Chmod")
		directory := callTo(p, call, "os", "Mkdir", "MkdirAll")
		if !chmod && !directory && !callTo(p, call, "os", "WriteFile", "OpenFile") && !callTo(p, call, "io/ioutil", "WriteFile") {
			continue
		}
		args := p.Args(call)
		if len(args) < 2 {
			continue
		}
		mode, err := strconv.ParseUint(strings.ReplaceAll(args[len(args)-1].Text(), "_", ""), 0, 32)
		// 0666 and 0777 for directories are what the umask is meant for: os.Create does the same.
		if err != nil || mode&0o002 == 0 || mode&0o1000 != 0 || directory || !chmod && mode&0o111 == 0 {
			continue
		}
		if chmod && strings.Contains(p.Scope(call).Text(), "Remove") {
			continue // made writable to be deleted
		}
		p.Report(call, "")
	}
}
