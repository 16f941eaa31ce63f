package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestReadBuild(t *testing.T) {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	for _, c := range []struct {
		name string
		info *debug.BuildInfo
		want build
	}{
		{"no build information", nil, build{Version: "0.1.0-dev", Go: runtime.Version(), Platform: platform}},
		{"without version control", &debug.BuildInfo{Main: debug.Module{Version: "(devel)"}},
			build{Version: "0.1.0-dev", Go: runtime.Version(), Platform: platform}},
		{"a tag, with changes", &debug.BuildInfo{Main: debug.Module{Version: "v1.2.3+dirty"}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "4c0ffee"}, {Key: "vcs.time", Value: "2026-11-22T10:00:00Z"}, {Key: "vcs.modified", Value: "true"}}},
			build{Version: "v1.2.3+dirty", Commit: "4c0ffee", Time: "2026-11-22T10:00:00Z", Modified: true, Go: runtime.Version(), Platform: platform}},
	} {
		if got := readBuild(c.info); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
