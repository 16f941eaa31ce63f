package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// everyKind is a run of each kind.
func everyKind(t *testing.T) map[string]string {
	return map[string]string{
		"review": reviewed(t), "eval": evaluated(t), "bench": benched(t), "codeeval": codeEvaluated(t, "base"),
		"compare": compared(t), "pairs": paired(t), "training": trained(t),
	}
}

func TestListShowsEveryKind(t *testing.T) {
	needBrowser(t)
	kinds := everyKind(t)
	p := openList(t, filepath.Join(world, "runs"))
	for _, dir := range kinds {
		p.Wait(filepath.Base(dir))
	}
	p.Shot("runs")
	for kind, dir := range kinds {
		p.Eval("location.hash = '#/'", nil)
		p.ClickText(filepath.Base(dir))
		p.Until("the address of the run "+kind, "location.hash.startsWith('#/run/')")
		p.Wait(filepath.Base(dir))
	}
}

// Every section of every kind opens, shows something, and names its places in the address, so that a reload comes back.
func TestEverySectionOpens(t *testing.T) {
	needBrowser(t)
	for kind, dir := range everyKind(t) {
		t.Run(kind, func(t *testing.T) {
			p := open(t, dir)
			places := p.sections()
			p.Shot(kind)
			for _, place := range places {
				p.Eval("location.hash = "+quote(place), nil)
				p.settled(place)
				name := place[strings.LastIndex(place, "/")+1:]
				p.Shot(kind + "-" + name)
				p.Reload()
				p.settled(place)
			}
		})
	}
}
