package llm

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deeprepo/deeprepo/internal/money"
)

func question(text string) Request {
	return Request{Messages: []Message{{Role: RoleUser, Content: text}}}
}

// counting answers with the question and counts.
func counting(calls *int) Model {
	return Func(func(ctx context.Context, r Request) (Response, error) {
		*calls++
		cost := money.Dollar
		return Response{Text: "re: " + r.Messages[0].Content, Finish: FinishStop, Usage: Usage{InputTokens: 5, OutputTokens: 7}, Cost: &cost}, nil
	})
}

func openCache(t *testing.T, c CacheConfig) *Cache {
	t.Helper()
	if c.Dir == "" {
		c.Dir = t.TempDir()
	}
	cache, err := OpenCache(c)
	if err != nil {
		t.Fatal(err)
	}
	return cache
}

// entries counts the files of a cache, and their bytes.
func entries(t *testing.T, c *Cache) (files int, bytes int64) {
	t.Helper()
	err := filepath.WalkDir(c.dir.Path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		files, bytes = files+1, bytes+info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, bytes
}

func TestCache(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	c := openCache(t, CacheConfig{Dir: filepath.Join(t.TempDir(), "we[i]rd*"), Now: func() time.Time { return now }})
	calls := 0
	m := c.Wrap(counting(&calls), "p/m")
	ask := func(m Model, text string) Response {
		t.Helper()
		resp, err := m.Complete(t.Context(), question(text))
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	first := ask(m, "a")
	again := ask(m, "a")
	if calls != 1 || first.FromCache || !again.FromCache || again.Text != first.Text || *again.Cost != 0 || again.Usage != first.Usage {
		t.Errorf("%d calls; first %+v, again %+v", calls, first, again)
	}
	ask(m, "b")
	ask(c.Wrap(counting(&calls), "p/other"), "a")
	if calls != 3 {
		t.Errorf("%d calls, want 3: another text and another model are not the same", calls)
	}
	if files, bytes := entries(t, c); files != 3 || bytes == 0 {
		t.Errorf("%d files, %d bytes", files, bytes)
	}
	now = now.Add(30*24*time.Hour + time.Second)
	if ask(m, "a").FromCache {
		t.Error("an entry of 30 days was served")
	}
	if !ask(m, "a").FromCache {
		t.Error("the fresh entry was not")
	}
}

// TestCacheIgnoresDamage: whatever lies in an entry's place, the call is made and the entry replaced.
func TestCacheIgnoresDamage(t *testing.T) {
	c := openCache(t, CacheConfig{})
	calls := 0
	m := c.Wrap(counting(&calls), "p/m")
	r := question("a")
	path := c.dir.File(r.Hash("p/m") + ".json")
	good := func() []byte {
		if _, err := m.Complete(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}()
	other := strings.Replace(string(good), r.Hash("p/m"), question("b").Hash("p/m"), 1)
	for name, data := range map[string]string{"empty": "", "cut": string(good[:len(good)/2]), "not JSON": "\x00\xff",
		"of another request": other, "of another version": strings.Replace(string(good), `"v":1`, `"v":99`, 1), "from the future": strings.Replace(string(good), `"time":"20`, `"time":"30`, 1)} {
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		before := calls
		resp, err := m.Complete(t.Context(), r)
		if err != nil || resp.FromCache || calls != before+1 {
			t.Errorf("%s: %+v, %v, %d calls", name, resp, err, calls-before)
		}
		if resp, _ := m.Complete(t.Context(), r); !resp.FromCache {
			t.Errorf("%s: the entry was not replaced", name)
		}
	}
}

func TestCacheKeepsOnlyWholeReplies(t *testing.T) {
	c := openCache(t, CacheConfig{})
	for _, finish := range []Finish{FinishLength, FinishFilter} {
		calls := 0
		m := c.Wrap(Func(func(context.Context, Request) (Response, error) {
			calls++
			return Response{Text: "x", Finish: finish}, nil
		}), string(finish))
		m.Complete(t.Context(), question("a"))
		m.Complete(t.Context(), question("a"))
		if calls != 2 {
			t.Errorf("a reply that ended by %s was kept", finish)
		}
	}
	refused := question("b")
	refused.Usable = func(r Response) bool { return r.Text != "I'm sorry." }
	calls := 0
	sorry := c.Wrap(Func(func(context.Context, Request) (Response, error) {
		calls++
		return Response{Text: "I'm sorry.", Finish: FinishStop}, nil
	}), "p/sorry")
	sorry.Complete(t.Context(), refused)
	sorry.Complete(t.Context(), refused)
	if calls != 2 {
		t.Error("a reply that is of no use was kept")
	}
	calls = 0
	m := c.Wrap(failing(&calls, &Error{Kind: KindOverloaded}), "p/m")
	if _, err := m.Complete(t.Context(), question("a")); err == nil {
		t.Error("no error")
	}
	if resp, err := m.Complete(t.Context(), question("a")); err != nil || resp.FromCache {
		t.Errorf("after an error: %+v, %v", resp, err)
	}
}

// TestCacheUnwritable: a cache that cannot be written costs nothing but the cache.
func TestCacheUnwritable(t *testing.T) {
	c := openCache(t, CacheConfig{})
	if err := os.RemoveAll(c.dir.Path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.dir.Path, []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	calls := 0
	if resp, err := c.Wrap(counting(&calls), "p/m").Complete(t.Context(), question("a")); err != nil || resp.Text != "re: a" {
		t.Errorf("%+v, %v", resp, err)
	}
}

func TestCachePrunes(t *testing.T) {
	now := time.Now()
	c := openCache(t, CacheConfig{MaxBytes: 20_000, Now: func() time.Time { now = now.Add(time.Second); return now }})
	calls := 0
	m := c.Wrap(counting(&calls), "p/m")
	first := question(strings.Repeat("first", 100))
	for i := range 100 {
		m.Complete(t.Context(), question(strings.Repeat("x", 500+i)))
		if i%5 == 0 {
			m.Complete(t.Context(), first) // used often: it stays
		}
	}
	if files, bytes := entries(t, c); bytes > 20_000 || files < 10 {
		t.Errorf("after 100 entries: %d files, %d bytes", files, bytes)
	}
	before := calls
	if m.Complete(t.Context(), first); calls != before {
		t.Error("the entry in use was pruned")
	}
}

// TestCacheSendsEqualRequestsOnce: a batch with the same prompt many times pays for one.
func TestCacheSendsEqualRequestsOnce(t *testing.T) {
	c := openCache(t, CacheConfig{})
	synctest.Test(t, func(t *testing.T) {
		calls, cached := 0, 0
		var mu sync.Mutex
		slow := Func(func(ctx context.Context, r Request) (Response, error) {
			mu.Lock()
			calls++
			n := calls
			mu.Unlock()
			time.Sleep(time.Second)
			if n == 1 {
				return Response{}, &Error{Kind: KindTruncated} // the first leader fails; the next one takes over
			}
			return Response{Text: "x", Finish: FinishStop}, nil
		})
		m := c.Wrap(slow, "p/m")
		var wg sync.WaitGroup
		failed := 0
		for range 20 {
			wg.Go(func() {
				resp, err := m.Complete(t.Context(), question("a"))
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failed++
				}
				if resp.FromCache {
					cached++
				}
			})
		}
		wg.Wait()
		if calls != 2 || failed != 1 || cached != 18 {
			t.Errorf("%d calls, %d failed, %d from the cache", calls, failed, cached)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		wg.Go(func() { m.Complete(t.Context(), question("b")) })
		synctest.Wait()
		if _, err := m.Complete(ctx, question("b")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("waiting with a deadline: %v", err)
		}
		wg.Wait()
	})
}

func FuzzCacheEntry(f *testing.F) {
	r := question("a")
	hash := r.Hash("p/m")
	f.Add([]byte(`{"v":1,"hash":"` + hash + `","time":"2026-11-21T00:00:00Z","response":{"text":"x","finish":"stop"}}`))
	f.Add([]byte(`{"v":1}`))
	f.Add([]byte(`[`))
	dir := f.TempDir()
	c, err := OpenCache(CacheConfig{Dir: dir, Now: func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) }})
	if err != nil {
		f.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(c.dir.File(hash+".json")), 0o700); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(c.dir.File(hash+".json"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if resp, ok := c.get(t.Context(), hash); ok && (!resp.FromCache || resp.Cost == nil || *resp.Cost != 0) {
			t.Fatalf("served %+v", resp)
		}
	})
}
