package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const deployDir = "../../deploy"

// A manifest is one document of a file.
type manifest struct {
	file string
	doc  map[string]any
}

// manifests reads every YAML file of deploy. A name that stands twice, or an anchor that is not there, is an error.
func manifests(t *testing.T) []manifest {
	t.Helper()
	var all []manifest
	err := filepath.WalkDir(deployDir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for in := yaml.NewDecoder(bytes.NewReader(text)); ; {
			var doc map[string]any
			err := in.Decode(&doc)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil || len(doc) == 0 {
				t.Errorf("%s: %v, %d keys", name, err, len(doc))
				return nil
			}
			all = append(all, manifest{name, doc})
		}
	})
	if err != nil || len(all) < 9 {
		t.Fatalf("%d manifests, %v", len(all), err)
	}
	return all
}

// at is what stands at a path of keys and indexes, nil for nothing.
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

func each[T any](v any) []T {
	var out []T
	for _, e := range v.([]any) {
		out = append(out, e.(T))
	}
	return out
}

// accepts has the real commands read an argument each, without running it.
func accepts(t *testing.T, where string, args []string) {
	t.Helper()
	cmd, rest, err := (&app{getenv: os.Getenv}).rootCommand().Find(args)
	if err == nil && cmd.RunE == nil {
		err = fmt.Errorf("%s does nothing", cmd.CommandPath())
	}
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err != nil {
		t.Errorf("%s: deeprepo %s: %v", where, strings.Join(args, " "), err)
	}
}

// containers are those of a compose file's services and of Kubernetes' pods, as Kubernetes writes them.
func containers(m manifest) []map[string]any {
	var all []map[string]any
	if services, ok := m.doc["services"].(map[string]any); ok {
		for _, s := range services {
			c := maps.Clone(s.(map[string]any))
			c["args"] = c["command"]
			all = append(all, c)
		}
	}
	if pods, ok := at(m.doc, "spec", "template", "spec", "containers").([]any); ok {
		for _, c := range pods {
			all = append(all, c.(map[string]any))
		}
	}
	return all
}

func TestManifestsNameWhatTheProgramHas(t *testing.T) {
	container, err := os.ReadFile("../../Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	var told int
	for _, m := range manifests(t) {
		for _, c := range containers(m) {
			told++
			accepts(t, m.file, each[string](c["args"]))
			if image := c["image"]; image != nil && !strings.Contains(string(container), "-t "+image.(string)+" ") {
				t.Errorf("%s: no image %v is made by Containerfile", m.file, image)
			}
			if check, ok := at(c, "healthcheck", "test").([]any); ok {
				words := each[string](check)
				if words[0] != "CMD" || !strings.Contains(string(container), `ENTRYPOINT ["`+words[1]+`"]`) {
					t.Errorf("%s: %v is not the image's program", m.file, words)
				}
				accepts(t, m.file, words[2:])
			}
		}
	}
	if told != 5 {
		t.Errorf("%d containers: a hub and a worker twice, and a cluster's hub", told)
	}
}

// variables are the program's own that a text sets.
var variables = regexp.MustCompile(`DEEPREPO_[A-Z_]+`)

func TestManifestsSetVariablesThatAreRead(t *testing.T) {
	known := []string{envCache, envFleetKey, envFleetCA}
	err := filepath.WalkDir(deployDir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(filepath.Dir(name)) == "gitlab" { // whose variables are its job's: TestPipelineRuns
			return err
		}
		text, err := os.ReadFile(name)
		for _, v := range variables.FindAllString(string(text), -1) {
			if !slices.Contains(known, v) {
				t.Errorf("%s: nobody reads %s", name, v)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Nothing runs as root, writes to its own files, or may become more than it is.
func TestManifestsGiveTheLeastPrivilege(t *testing.T) {
	for _, m := range manifests(t) {
		for _, c := range containers(m) {
			pod := at(m.doc, "spec", "template", "spec")
			var got, want any
			switch {
			case m.doc["services"] != nil:
				got = []any{c["read_only"], c["cap_drop"], c["security_opt"], c["privileged"], c["user"]}
				want = []any{true, []any{"ALL"}, []any{"no-new-privileges:true"}, nil, nil}
			case c["image"] == nil: // a patch
				got, want = []any{c["securityContext"], at(pod, "securityContext")}, []any{nil, nil}
			default:
				s := c["securityContext"]
				got = []any{at(s, "readOnlyRootFilesystem"), at(s, "allowPrivilegeEscalation"), at(s, "capabilities"), at(s, "privileged"),
					at(pod, "securityContext", "runAsNonRoot"), at(pod, "securityContext", "runAsUser"),
					at(pod, "securityContext", "seccompProfile", "type"), at(pod, "automountServiceAccountToken")}
				want = []any{true, false, map[string]any{"drop": []any{"ALL"}}, nil, true, 65532, "RuntimeDefault", false}
			}
			if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
				t.Errorf("%s: %s, want %s", m.file, g, w)
			}
		}
	}
}

// patchFiles are the files that a kustomization changes others with.
func patchFiles(doc map[string]any) (files []any) {
	entries, _ := doc["patches"].([]any)
	for _, e := range entries {
		files = append(files, at(e, "path"))
	}
	return files
}

// What one manifest says of another holds.
func TestManifestsAgree(t *testing.T) {
	kinds := map[string]map[string]any{}
	for _, m := range manifests(t) {
		kind, _ := m.doc["kind"].(string)
		if kind == "Kustomization" {
			var files []string
			for _, e := range slices.Concat(m.doc["resources"].([]any), patchFiles(m.doc)) {
				files = append(files, e.(string))
			}
			for _, f := range files {
				if _, err := os.Stat(filepath.Join(filepath.Dir(m.file), f)); err != nil {
					t.Errorf("%s: %v", m.file, err)
				}
			}
			continue
		}
		if kind != "" {
			kinds[filepath.Base(filepath.Dir(m.file))+" "+kind] = m.doc
		}
	}
	base, cluster, deployment := kinds["base StatefulSet"], kinds["cluster StatefulSet"], kinds["base Deployment"]
	for what, same := range map[string][2]any{
		"the cluster patches the hub":       {at(cluster, "metadata", "name"), at(base, "metadata", "name")},
		"the hub's service":                 {at(kinds["base Service"], "metadata", "name"), at(base, "spec", "serviceName")},
		"the service selects hubs":          {at(kinds["base Service"], "spec", "selector"), at(base, "spec", "selector", "matchLabels")},
		"hubs are disrupted one by one":     {at(kinds["cluster PodDisruptionBudget"], "spec", "selector", "matchLabels"), at(base, "spec", "selector", "matchLabels")},
		"hubs are labelled":                 {at(base, "spec", "template", "metadata", "labels"), at(base, "spec", "selector", "matchLabels")},
		"workers are labelled":              {at(deployment, "spec", "template", "metadata", "labels"), at(deployment, "spec", "selector", "matchLabels")},
		"workers are scaled":                {at(kinds["kubernetes ScaledObject"], "spec", "scaleTargetRef", "name"), at(deployment, "metadata", "name")},
		"the patched container is the same": {at(cluster, "spec", "template", "spec", "containers", 0, "name"), at(base, "spec", "template", "spec", "containers", 0, "name")},
	} {
		if same[0] == nil || fmt.Sprint(same[0]) != fmt.Sprint(same[1]) {
			t.Errorf("%s: %v, and %v", what, same[0], same[1])
		}
	}
	args := fmt.Sprint(at(cluster, "spec", "template", "spec", "containers", 0, "args"))
	replicas, _ := at(cluster, "spec", "replicas").(int)
	for i := range replicas {
		route := fmt.Sprintf("--route=%v-%d.%v:6222", at(base, "metadata", "name"), i, at(base, "spec", "serviceName"))
		if !strings.Contains(args, route) {
			t.Errorf("no %s in %s", route, args)
		}
	}
	if n := strings.Count(args, "--route="); replicas != 3 || n != replicas {
		t.Errorf("%d hubs, %d routes", replicas, n)
	}
	trigger := at(kinds["kubernetes ScaledObject"], "spec", "triggers", 0, "metadata")
	text, _ := json.Marshal(trigger)
	// TestAnAutoscalerSeesTheQueue of package hub asks for these as KEDA does.
	for _, want := range []string{`"account":"$G"`, `"stream":"deeprepo_work"`, `"consumer":"judge"`,
		`"deeprepo-hub.deeprepo.svc.cluster.local:8222"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

// setting is one of a unit file: its last value, or all of them for those that add up.
func settings(text string) map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(key, "#") {
			all[key] = append(all[key], value)
		}
	}
	return all
}

func TestUnits(t *testing.T) {
	units, err := filepath.Glob(filepath.Join(deployDir, "systemd", "*.service"))
	if err != nil || len(units) != 2 {
		t.Fatalf("%v, %v", units, err)
	}
	for _, name := range units {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s := settings(string(text))
		for key, want := range map[string]string{"DynamicUser": "yes", "ProtectSystem": "strict", "NoNewPrivileges": "yes",
			"CapabilityBoundingSet": "", "AmbientCapabilities": "", "ProtectHome": "yes", "RestrictNamespaces": "yes"} {
			if got := s[key]; len(got) != 1 || got[0] != want {
				t.Errorf("%s: %s=%v", name, key, got)
			}
		}
		words := strings.Fields(strings.Join(s["ExecStart"], " "))
		set := strings.Join(s["Environment"], " ") + " STATE_DIRECTORY=" + strings.Join(s["StateDirectory"], "")
		for i, word := range words {
			if v, ok := strings.CutPrefix(word, "${"); ok {
				_, value, known := strings.Cut(" "+set, " "+strings.TrimSuffix(v, "}")+"=")
				if value, _, _ = strings.Cut(value, " "); !known || value == "" {
					t.Errorf("%s: nobody sets %s", name, word)
				}
				words[i] = value
			}
		}
		accepts(t, name, words[1:])
		tool, err := exec.LookPath("systemd-analyze")
		if err != nil {
			continue // the machine has none: what is above holds for it, too
		}
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		unit := filepath.Join(t.TempDir(), strings.Replace(filepath.Base(name), "@", "@1", 1))
		if err := os.WriteFile(unit, bytes.Replace(text, []byte(words[0]), []byte(exe), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(tool, "verify", "--man=no", unit).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}
