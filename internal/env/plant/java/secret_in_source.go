package java

import (
	"fmt"
	"hash/fnv"
	"regexp"
)

var secretSetting = regexp.MustCompile(`(?i)^"[\w.-]*(secret|passw|api[_.-]?key|token[_.-]?key|signing|private[_.-]?key|` +
	`credential)[\w.-]*"$`)

var settingSource = regexp.MustCompile(`(?i)^System$|env|variables|prop|settings|config`)

// SecretInSource writes a secret into the program that was read from the environment: anybody who reads the source, or the
// class file, has it, and it is the same everywhere.
func (*operators) SecretInSource(f file) {
	for v := range f.Root.Find("variable_declarator") {
		call, t := v.ChildByField("value"), v.Parent().ChildByField("type").Text()
		as := args(call)
		switch called(call) {
		case "getenv", "getProperty", "get", "require", "required":
		default:
			continue
		}
		if t != "String" && t != "var" || len(as) != 1 || !secretSetting.MatchString(as[0].Text()) ||
			!settingSource.MatchString(receiver(call).Text()) {
			continue
		}
		h := fnv.New64a()
		h.Write([]byte(f.Path + v.Text()))
		f.Report(f.Replace(v, fmt.Sprintf("%s = \"%016x%016x\"", v.ChildByField("name").Text(), h.Sum64(), h.Sum64()*0x9e3779b97f4a7c15)),
			"%s holds %s as a literal instead of reading %s, so that everybody with the source has it", methodName(v), v.ChildByField("name").Text(),
			as[0].Text())
	}
}
