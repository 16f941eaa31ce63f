package openenv_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/web/openenv"
)

// post sends a body and gives the status and the answer.
func post(t testing.TB, url, body string) (int, map[string]any) {
	t.Helper()
	response, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return read(t, response)
}

func get(t testing.TB, url string) (int, map[string]any) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, response)
}

func read(t testing.TB, response *http.Response) (int, map[string]any) {
	t.Helper()
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return response.StatusCode, v
}

func TestEpisodeOverHTTP(t *testing.T) {
	e := &looper{}
	s, base := serve(t, openenv.Config{Environment: e, Grace: 10 * time.Millisecond})
	status, v := post(t, base+"/reset", `{"seed":7,"index":3,"episode_id":"mine"}`)
	o := v["observation"].(map[string]any)
	if status != 200 || v["reward"] != nil || v["done"] != false || o["message"] != "begin loop/train/7/3" || o["episode_id"] != "mine" {
		t.Fatalf("reset: %d %v", status, v)
	}
	status, v = post(t, base+"/step", `{"episode_id":"mine","action":{"message":"one"}}`)
	if status != 200 || v["reward"] != 0.0 || v["done"] != false || v["observation"].(map[string]any)["message"] != "heard one" {
		t.Errorf("step: %d %v", status, v)
	}
	if status, v = get(t, base+"/state?episode_id=mine"); status != 200 || v["step_count"] != 1.0 || v["episode_id"] != "mine" {
		t.Errorf("state: %d %v", status, v)
	}
	status, v = post(t, base+"/step", `{"episode_id":"mine","action":{"message":"answer 5"},"request_id":"r2","timeout_s":20}`)
	if status != 200 || v["reward"] != 0.5 || v["done"] != true {
		t.Errorf("end: %d %v", status, v)
	}
	freed(t, e, s, "the place is free")
	if again, w := post(t, base+"/step", `{"episode_id":"mine","action":{"message":"answer 5"},"request_id":"r2"}`); again != 200 ||
		w["reward"] != 0.5 {
		t.Errorf("the last step asked for again: %d %v", again, w)
	}
	if status, v = post(t, base+"/step", `{"episode_id":"mine","action":{"message":"x"}}`); status != 409 || v["code"] != "EXECUTION_ERROR" {
		t.Errorf("a step after the end: %d %v", status, v)
	}
	if status, v = get(t, base+"/state?episode_id=mine"); status != 200 || v["done"] != true || v["step_count"] != 2.0 {
		t.Errorf("state after the end: %d %v", status, v)
	}
}

func TestHTTPErrors(t *testing.T) {
	_, base := serve(t, openenv.Config{MessageBytes: 1000})
	for _, test := range []struct {
		path, body string
		status     int
		says       string
	}{
		{"/reset", `{`, 422, "invalid JSON"},
		{"/reset", `[]`, 422, "expected an object"},
		{"/reset", `{"sede":1}`, 422, "did you mean seed?"},
		{"/reset", `{"split":"x"}`, 422, "train and heldout"},
		{"/reset", `{"language":"cobol"}`, 500, "cobol"},
		{"/reset", `{"files":1000000000}`, 422, "from 7 to 30"},
		{"/reset", `{"files":6}`, 422, "from 7 to 30"},
		{"/reset", `{"files":-1}`, 422, "negative"},
		{"/reset", `{"files":1e400}`, 422, "must be an integer"},
		{"/reset", `{"files":NaN}`, 422, "invalid JSON"},
		{"/reset", `{"files":"7"}`, 422, "must be an integer"},
		{"/reset", `{"difficulty":"absurd"}`, 422, "easy, medium, hard"},
		{"/reset", `{"seed":9223372036854775808}`, 422, "must be an integer"},
		{"/reset", `{"index":-1}`, 422, "negative"},
		{"/step", `{"action":{"message":"x"},"episode_id":"none","timeout_s":-1}`, 422, "negative"},
		{"/step", `{"action":{"message":"x"},"episode_id":"none","timeout_s":"1"}`, 422, "wrong type"},
		{"/step", `{"action":{"message":"x","usage":{"output_tokens":1099511627777}},"episode_id":"none"}`, 422, "usage"},
		{"/reset", `{"episode_id":"` + strings.Repeat("x", 2000) + `"}`, 413, "1000"},
		{"/step", `{"action":{"message":"x"}}`, 409, "episode_id"},
		{"/step", `{"action":{"message":"x"},"episode_id":"none"}`, 404, "no episode"},
		{"/step", `{"action":{"message":"x"},"episode_id":5}`, 422, "wrong type"},
		{"/step", `{"action":{"message":"x"},"episod_id":"x"}`, 422, "no such field"},
		{"/step", `{"episode_id":"x"}`, 422, "needs its action"},
		{"/step", `{"action":5,"episode_id":"x"}`, 422, "expected an object"},
	} {
		status, v := post(t, base+test.path, test.body)
		if detail, _ := v["detail"].(string); status != test.status || !strings.Contains(detail, test.says) || v["code"] == "" {
			t.Errorf("%s %.60s: %d %v", test.path, test.body, status, v)
		}
	}
	if status, v := get(t, base+"/state"); status != 200 || v["episode_id"] != nil || v["step_count"] != 0.0 {
		t.Errorf("%d %v", status, v)
	}
	if status, _ := get(t, base+"/state?episode_id=none"); status != 404 {
		t.Error(status)
	}
	if status, v := post(t, base+"/mcp", `{}`); status != 200 || v["jsonrpc"] != "2.0" || v["error"] == nil {
		t.Errorf("%d %v", status, v)
	}
	for _, path := range []string{"/metadata", "/schema", "/about", "/openapi.json"} {
		if status, v := get(t, base+path); status != 200 || len(v) == 0 {
			t.Errorf("%s: %d %v", path, status, v)
		}
	}
}

// TestBrokenRequestLosesNothing breaks a request in the middle of its step and asks again.
func TestBrokenRequestLosesNothing(t *testing.T) {
	e := &looper{}
	_, base := serve(t, openenv.Config{Environment: e, Grace: 10 * time.Millisecond})
	post(t, base+"/reset", `{"episode_id":"e"}`)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	body := `{"episode_id":"e","request_id":"a","action":{"message":"sleep 400ms"}}`
	r, err := http.NewRequestWithContext(ctx, "POST", base+"/step", bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	if response, err := http.DefaultClient.Do(r); err == nil {
		response.Body.Close()
		t.Fatal("the step was over too soon")
	}
	if status, _ := post(t, base+"/step", `{"episode_id":"e","request_id":"b","action":{"message":"x"}}`); status != 409 {
		t.Errorf("another step meanwhile: %d", status)
	}
	if status, _ := post(t, base+"/step", strings.Replace(body, `"a"`, `"a","timeout_s":0.01`, 1)); status != 504 {
		t.Errorf("a step that is late: %d", status)
	}
	status, v := post(t, base+"/step", body)
	if status != 200 || v["observation"].(map[string]any)["message"] != "heard sleep 400ms" ||
		v["observation"].(map[string]any)["turn"] != 2.0 {
		t.Errorf("asked again: %d %v", status, v)
	}
}

func TestHTTPCapacityAndIdle(t *testing.T) {
	e := &looper{}
	s, base := serve(t, openenv.Config{Environment: e, Capacity: 1, Idle: 300 * time.Millisecond})
	post(t, base+"/reset", `{"episode_id":"a"}`)
	if status, v := post(t, base+"/reset", `{"episode_id":"b"}`); status != 503 || v["code"] != "CAPACITY_REACHED" {
		t.Errorf("%d %v", status, v)
	}
	freed(t, e, s, "the silent client's place is free")
	if status, _ := post(t, base+"/reset", `{"episode_id":"b"}`); status != 200 {
		t.Error(status)
	}
}

// TestManyAtOnce plays over both protocols at the same time, for the race detector.
func TestManyAtOnce(t *testing.T) {
	e := &looper{}
	s, base := serve(t, openenv.Config{Environment: e, Grace: 10 * time.Millisecond})
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			if i%2 == 0 {
				c := dial(t, base)
				c.call(`{"type":"reset"}`)
				c.step("one")
				if r := c.step("answer 3"); !r.Data.Done || *r.Data.Reward != .3 {
					t.Errorf("%+v", r)
				}
				c.ws.CloseNow()
				return
			}
			_, v := post(t, base+"/reset", `{}`)
			id := v["observation"].(map[string]any)["episode_id"].(string)
			post(t, base+"/step", `{"episode_id":"`+id+`","action":{"message":"one"}}`)
			if status, v := post(t, base+"/step", `{"episode_id":"`+id+`","action":{"message":"answer 3"}}`); status != 200 || v["reward"] != .3 {
				t.Errorf("%d %v", status, v)
			}
		})
	}
	wg.Wait()
	freed(t, e, s, "all places are free")
}
