package e2e

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// One browser for all tests of the binary; each page is a tab with its own profile, so that no cookie and no setting
// of one test reaches another.
var browser struct {
	sync.Once
	ctx    context.Context
	cancel context.CancelFunc
	err    error
}

// chromium is the browser's program, "" if there is none.
func chromium() string {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	return ""
}

// needBrowser skips a test if there is no Chromium.
func needBrowser(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: no browser is started")
	}
	if chromium() == "" {
		t.Skip("no Chromium here: the page is not clicked through (apt-get install chromium, or CHROMIUM=PATH)")
	}
	browser.Do(startBrowser)
	if browser.err != nil {
		t.Fatalf("Chromium does not start: %v", browser.err)
	}
}

func startBrowser() {
	options := append(chromedp.DefaultExecAllocatorOptions[:len(chromedp.DefaultExecAllocatorOptions):len(
		chromedp.DefaultExecAllocatorOptions)],
		chromedp.ExecPath(chromium()), chromedp.UserDataDir(filepath.Join(world, "chromium")), chromedp.WindowSize(1280, 900),
		chromedp.DisableGPU, chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("proxy-server", "http://127.0.0.1:9"), // to nowhere: what is outside cannot be reached; 127.0.0.1 itself needs no proxy
	)
	if os.Geteuid() == 0 { // in a container, where Chromium's own jail is not to be had
		options = append(options, chromedp.NoSandbox)
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	browser.ctx, browser.cancel = ctx, func() { stop(); cancel() }
	if browser.err = chromedp.Do(ctx); browser.err != nil {
		browser.cancel()
	}
}

func closeBrowser() {
	if browser.ctx != nil && browser.err == nil {
		if err := chromedp.Cancel(browser.ctx); err != nil && !errors.Is(err, context.Canceled) {
			browser.cancel()
		}
	}
}
