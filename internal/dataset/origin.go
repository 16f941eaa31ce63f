package dataset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/wholefile"
)

// origin says where a dataset's file is published. The zero origin is that of a set which is not one file.
type origin struct {
	// url is the file's own address, file the name of its copy in the cache.
	url, file string
	// sha256 is the file's checksum where its bytes never change, "" otherwise.
	sha256 string
	// bytes bounds what is read of it after decompression.
	bytes int64
	// get says in words how to come by a set that is not one file.
	get string
}

// What a dataset may hold when nothing else is said.
const (
	smallSet = 256 << 20
	largeSet = 16 << 30
)

// hint says how to come by the file of the dataset called name.
func (g origin) hint(name string) string {
	if g.url == "" {
		return "give --data PATH: " + g.get
	}
	return "give --data FILE, a copy of " + g.url
}

// fetch returns the path of g's copy in the cache, and puts it there first where need be.
func (g origin) fetch(ctx context.Context, name string, o Options) (string, error) {
	if g.url == "" {
		return "", hint.Wrap(fmt.Errorf("dataset %s has to be fetched by hand", name), g.hint(name))
	}
	if o.CacheDir == "" {
		return "", hint.Wrap(fmt.Errorf("dataset %s: no file was given, and there is no cache to fetch it to", name), g.hint(name))
	}
	path := filepath.Join(o.CacheDir, g.file)
	if err := g.check(path); err == nil {
		return path, nil
	}
	if o.Client == nil {
		return "", hint.Wrap(fmt.Errorf("dataset %s is not in the cache, and fetching is off", name), g.hint(name))
	}
	if err := g.download(ctx, path, o.Client); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", &FetchError{name: name, err: err, hint: g.hint(name)}
	}
	return path, nil
}

// check says whether the file at path is there and is what was published.
func (g origin) check(path string) error {
	f, err := bounded.Open(path, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if g.sha256 == "" {
		return nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	return g.verify(h.Sum(nil))
}

func (g origin) verify(sum []byte) error {
	if got := hex.EncodeToString(sum); g.sha256 != "" && got != g.sha256 {
		return fmt.Errorf("its checksum is %s, not %s", got, g.sha256)
	}
	return nil
}

// download writes the file to path, whole or not at all.
func (g origin) download(ctx context.Context, path string, client *http.Client) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.url, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", g.url, resp.Status)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return wholefile.Write(path, func(f *os.File) error {
		h := sha256.New()
		n, err := io.Copy(io.MultiWriter(f, h), io.LimitReader(resp.Body, g.bytes+1))
		switch {
		case err != nil:
			return err
		case n > g.bytes:
			return fmt.Errorf("%s is over %d bytes long", g.url, g.bytes)
		case resp.ContentLength >= 0 && n != resp.ContentLength:
			return errors.New("the answer was cut short")
		}
		return g.verify(h.Sum(nil))
	})
}
