package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var cacheKeyName = regexp.MustCompile(`(?i)etag|cachekey|fingerprint|checksum|contenthash`)

// MD5ETag hashes with MD5 where the hash only says whether a content changed. Nobody gains from two contents of one
// hash there but who wrote both.
func (*operators) MD5ETag(f file) {
	for call, args := range f.calls("createHash") {
		if len(args) != 1 {
			continue
		}
		use := cacheUse(call)
		if text, _ := stringText(args[0]); text == "md5" || use == "" || args[0].Kind() != "string" {
			continue
		}
		quote := args[0].Text()[:1]
		f.Report(f.Replace(args[0], quote+"md5"+quote),
			"%s only tells whether a content changed, so MD5 does for it: no decision about security hangs on the hash.", short(use))
	}
}

// cacheUse is the name of what a hash is computed for when it is a cache's or a client's mark of a content.
func cacheUse(n syntax.Node) string {
	for up := n.Parent(); up.Valid(); up = up.Parent() {
		name := ""
		switch up.Kind() {
		case "variable_declarator":
			name = up.ChildByField("name").Text()
		case "function_declaration", "method_definition":
			name = functionName(up)
		}
		if cacheKeyName.MatchString(name) {
			return name
		}
		if up.Kind() == "function_declaration" || up.Kind() == "method_definition" {
			return ""
		}
	}
	return ""
}
