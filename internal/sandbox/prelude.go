package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/deeprepo/deeprepo/internal/sandbox/harness"
)

// judgePrelude and suspectPrelude load the harness into an interpreter. The host's own orders come with their own first
// byte, so that neither side can give the other an order that is the host's to give.
func judgePrelude() string   { return loader("suspect", harness.Judge()) }
func suspectPrelude() string { return loader("judge", harness.Suspect()) }

// preludeKey is what a prelude is known by.
func preludeKey(source string) string {
	sum := sha256.Sum256([]byte(source))
	return hex.EncodeToString(sum[:16])
}

func loader(peer, source string) string {
	text, err := json.Marshal(source) // a JSON text is a Python text, too
	if err != nil {
		panic(err) // a string always marshals
	}
	return `
def _load():
    import _dr, _host, types
    m = types.ModuleType("_harness")
    call = _host.call
    m.ask = lambda data: call("` + peer + `", data)
    m.mark = lambda: call("mark", b"")
    m.run = _dr.run
    exec(compile(` + string(text) + `, "<harness>", "exec"), m.__dict__)
    def enter(data, result=_dr.result, begin=m.begin, serve=m.serve):
        result(0, begin(data[1:]) if data[0] == ` + "104" + ` else serve(data[1:]))
    return enter
_setup = _load()
del _load
`
}
