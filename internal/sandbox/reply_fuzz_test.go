package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox/harness"
)

// bareWorker is a worker in this process, with the harness ready: for fuzzing and profiles.
func bareWorker(t testing.TB) *worker {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	key, err := productKey()
	if err != nil {
		t.Fatal(err)
	}
	in, err := openInterpreter(context.Background(), filepath.Join(cache, "deeprepo", "sandbox-"+key), func() {})
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]string{"j": judgePrelude(), "s": suspectPrelude()} {
		p, _ := in.register(name)
		p.clone, p.err = in.bake(preludeKey(source), source)
		close(p.made)
		if p.err != nil {
			t.Fatal(p.err)
		}
	}
	return &worker{in: in, stdout: discard{}, guests: map[uint32]*guest{}}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// FuzzReply answers the judge's calls with hostile bytes. Whatever they are, the judge reports, its builtins are its
// own, and what the tests were given is a value of a class that it knows.
func FuzzReply(f *testing.F) {
	for _, s := range []string{
		`["=",14,[],[]]`, `["=",[0],[[0,["l",[1,[1]]]]],[["s",[2]]]]`, `["=",["t",1,["f",2],["b","x"]],[],[]]`, `["=",[2],[],[["m",["a"],[[3]]],["l",[[2]]]]]`,
		`["=",["h",1,"C",0],[],[]]`, `["=",["p",1,""],[],[]]`, `["=",["y","exec"],[],[]]`, `["=",["S","P"],[],[]]`, `["=",[2],[],[["o","P",["__class__","x"],[1,2]]]]`,
		`["!","ValueError",["no"],"Mine","no",0]`, `["!","SystemExit",[0],"","",0]`, `["!","int",[],"","",0]`, `["exit","SystemExit","0",0]`, `["=",["i","0xffffffffffffffffffffff"],[],[]]`,
		`["=",["dt",2024,1,1,0,0,0,0,3600,0],[],[]]`, `["=",["D","1e999999"],[],[]]`, `["=",["r",0,10,0],[],[]]`, `["=",NaN,[],[]]`, `["=",{"a":1},[],[]]`, `[`, ``, "\xff\xfe", `[[[[[[[]]]]]]]`,
		`["=",["co",3],[],[]]`, `["=",["/",1,0],[],[]]`, `["=",[2],[],[["q",-1,[1]],["dd",["y","list"],[],[]],["C",["a"],["b"]]]]`,
	} {
		f.Add([]byte(s))
	}
	w := bareWorker(f)
	const setup = "class P: pass\n"
	const test = `
kept, also = [1], {2}
for i in range(2):
    try:
        r = f(kept, also)
    except Exception:
        r = None
assert abs(-3) == 3 and len([1]) == 1 and isinstance(3, int) and (not False) is True
assert type(kept) is list and type(also) is set and not isinstance(r, str) or type(r) is str
try:
    assert 1 == 2
except AssertionError:
    pass
else:
    raise SystemExit
`
	f.Fuzz(func(t *testing.T, reply []byte) {
		g, err := w.fresh("j", judgeMemory)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { w.recycle("j", g) }()
		g.aside, g.outCap = &aside{}, 1<<10
		g.meter.start(runRequest{Steps: 1 << 30, Wall: 20 * time.Second})
		g.meter.pause()
		exit := false
		g.host = func(name string, _ []byte) ([]byte, error) {
			if name != "suspect" {
				return nil, nil
			}
			var m []any
			exit = exit || json.Unmarshal(reply, &m) == nil && len(m) > 0 && m[0] != "=" && m[0] != "!"
			return reply, nil
		}
		body, err := json.Marshal(harness.Job{Nonce: "n", Setup: setup, Entry: "f", Wanted: []string{}, Names: `[["f","function",1,"f",[]]]`,
			Tests: [][2]string{{"t", test}}})
		if err != nil {
			t.Fatal(err)
		}
		out, err := g.transact('h', body)
		if err != nil || g.meter.stop != "" {
			if errors.As(err, new(*PyError)) && g.mem.refused {
				return
			}
			t.Fatalf("the judge ended: %v %s", err, g.meter.stop)
		}
		var r Report
		if err := json.Unmarshal(out, &r); err != nil || r.Nonce != "n" || r.Fault != "" || len(r.Results) != 1 {
			t.Fatalf("the judge reported %s", out)
		}
		if !r.Results[0].OK && !exit {
			t.Fatalf("the test was led astray: %+v", r.Results[0].Error)
		}
	})
}

// FuzzDiffers compares outputs: equal ones agree, whatever they are.
func FuzzDiffers(f *testing.F) {
	f.Add("1 2\n3", "1 2 3")
	f.Add("0.5", "0.50000001")
	f.Add("NaN .", "nan")
	f.Fuzz(func(t *testing.T, want, got string) {
		if differs(want, want, len(want)) != "" {
			t.Errorf("%q differs from itself", want)
		}
		if differs(want, got, len(got)+1) == "" {
			t.Errorf("%q agrees although it was cut", got)
		}
	})
}
