package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/wholefile"
)

// maxPrices bounds a list of prices, in bytes.
const maxPrices = 16 << 20

// pricesFile is the user's own price list, which deeprepo models --refresh writes.
func pricesFile() (string, error) {
	dir, err := userDir()
	return filepath.Join(dir, "prices.json"), err
}

// prices are those of the program, with the user's list over them. They are read once: those of a run under way stay.
func (a *app) prices() (*llm.Prices, error) {
	a.pricing.Do(func() { a.priceTable, a.priceErr = readPrices() })
	return a.priceTable, a.priceErr
}

func readPrices() (*llm.Prices, error) {
	base, err := llm.DefaultPrices()
	if err != nil {
		return nil, err
	}
	name, err := pricesFile()
	if err != nil {
		return base, nil // nobody's directory holds no list
	}
	text, err := bounded.ReadFile(name, maxPrices)
	if errors.Is(err, fs.ErrNotExist) {
		return base, nil
	}
	var own *llm.Prices
	if err == nil {
		own, err = llm.ReadPrices(strings.NewReader(string(text)))
	}
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", name, err),
			"deeprepo models --refresh writes it anew; without the file the program's own prices count"}
	}
	return own.Over(base), nil
}

// refreshed is what deeprepo models --refresh says.
type refreshed struct {
	Source  string        `json:"source"`
	Date    string        `json:"date"`
	File    string        `json:"file"`
	Models  int           `json:"models"`
	LeftOut int           `json:"left_out"` // without a price that can be right
	New     int           `json:"new"`
	Changed []priceChange `json:"changed"`
}

type priceChange struct {
	Model string    `json:"model"`
	Old   llm.Price `json:"old"`
	New   llm.Price `json:"new"`
}

// refreshModels fetches prices and writes the user's list. Where that fails the old list stays.
func (a *app) refreshModels(ctx context.Context, from string) error {
	from = cmp.Or(from, strings.TrimSuffix(cmp.Or(a.getenv(provider.EnvOpenRouterURL), "https://openrouter.ai/api/v1"), "/")+"/models")
	text, source, err := fetchPrices(ctx, from)
	if err != nil {
		return err
	}
	name, err := pricesFile()
	if err != nil {
		return fmt.Errorf("the user's directory: %w", err)
	}
	list, leftOut, err := llm.ParsePrices(text, source, time.Now().UTC().Format(time.DateOnly))
	if err != nil {
		return exitError{exitOutside, hint.Wrap(fmt.Errorf("%s: %w", withoutSecrets(from), err),
			"the prices of before stay; --from FILE or URL names another list: OpenRouter's /models, LiteLLM's model_prices, or a prices.json")}
	}
	done := refreshed{Source: source, Date: list.Date, File: name, LeftOut: leftOut, Changed: []priceChange{}}
	old, _ := readPrices() // a broken one is replaced
	for _, m := range list.All() {
		done.Models++
		if old == nil {
			continue
		}
		before := old.Lookup(m.Name, nil).Price
		switch {
		case before == nil:
			done.New++
		case !before.Same(*m.Price):
			done.Changed = append(done.Changed, priceChange{m.Name, *before, *m.Price})
		}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return exitError{exitOutside, err}
	}
	if err := wholefile.Write(name, func(f *os.File) error { return list.Write(f) }); err != nil {
		return exitError{exitOutside, err}
	}
	return a.print(done, func(w io.Writer) error { done.write(w); return nil })
}

func (d refreshed) write(w io.Writer) {
	fmt.Fprintf(w, "%s with prices from %s, %s: %d new, %d changed; %d left out, without a price that can be right\n",
		termtext.Plural(d.Models, "model"), d.Source, d.Date, d.New, len(d.Changed), d.LeftOut)
	const shown = 20
	for i, c := range d.Changed {
		if i == shown {
			fmt.Fprintf(w, "  and %d more\n", len(d.Changed)-shown)
			break
		}
		fmt.Fprintf(w, "  %s: input %s, was %s; output %s, was %s\n", c.Model, c.New.Input.Decimal(), c.Old.Input.Decimal(),
			c.New.Output.Decimal(), c.Old.Output.Decimal())
	}
	fmt.Fprintf(w, "written to %s; runs under way keep their prices\n", d.File)
}

// fetchPrices reads a list from a file or from an address, and says whose it is.
func fetchPrices(ctx context.Context, from string) (text []byte, source string, err error) {
	if !strings.Contains(from, "://") {
		text, err := bounded.ReadFile(from, maxPrices)
		if err != nil {
			return nil, "", usageError{fmt.Errorf("--from: %w", err), cmp.Or(hint.Of(err), "give a file of prices, or an https address")}
		}
		return text, filepath.Base(from), nil
	}
	u, err := url.Parse(from)
	if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && loopback(from)) {
		return nil, "", usageError{fmt.Errorf("prices are not fetched from %s", withoutSecrets(from)), "give an https address or a file"}
	}
	fail := func(err error) ([]byte, string, error) {
		return nil, "", exitError{exitOutside, hint.Wrap(fmt.Errorf("prices from %s: %w", u.Host, err),
			"the prices of before stay; --from FILE takes a list that was fetched elsewhere")}
	}
	client := &http.Client{Timeout: 30 * time.Second, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		if next.URL.Scheme != u.Scheme || next.URL.Host != u.Host || len(via) > 3 {
			return fmt.Errorf("it redirects to %s", withoutSecrets(next.URL.String()))
		}
		return nil
	}}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return fail(err)
	}
	r.Header.Set("Accept", "application/json")
	response, err := client.Do(r)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return fail(failed.Err) // without the address, which may hold a password
	}
	if err != nil {
		return fail(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fail(fmt.Errorf("status %d", response.StatusCode))
	}
	text, err = io.ReadAll(io.LimitReader(response.Body, maxPrices+1))
	if err != nil {
		return fail(err)
	}
	if len(text) > maxPrices {
		return fail(&bounded.SizeError{Most: maxPrices})
	}
	return text, u.Host, nil
}
