package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// SecondsToMillis makes a function give milliseconds that callers in other files take for seconds.
func (*operators) SecondsToMillis(s *source) {
	for _, ret := range s.kinds["return_statement"] {
		values := ret.NamedChild(0).Elements()
		fn := function(ret)
		if len(values) != 1 || fn.Kind() == "func_literal" || strings.Join(gotree.Results(fn), ",") != "int64" {
			continue
		}
		x, name := method(values[0])
		if name != "Unix" || len(arguments(values[0])) != 0 || s.imports[x.Text()] != "" {
			continue
		}
		users := s.callers(fn)
		if len(users) == 0 {
			continue
		}
		s.Report(s.Replace(values[0].ChildByField("function"), x.Text()+".UnixMilli"),
			"%s gives milliseconds, while %s and its other callers take the number for seconds.", nameOf(fn), users[0])
	}
}
