package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/chromedp/chromedp"
)

// Shot takes pictures of what the page shows, when -screenshots names a directory: at two widths, light and dark.
func (p *Page) Shot(name string) {
	p.t.Helper()
	if *screenshots == "" {
		return
	}
	for _, size := range [][2]int{{390, 844}, {1440, 900}} {
		p.Size(size[0], size[1])
		for _, dark := range []bool{false, true} {
			p.Dark(dark)
			scheme := map[bool]string{false: "light", true: "dark"}[dark]
			p.ShotAs(fmt.Sprintf("%s-%d-%s", name, size[0], scheme))
		}
	}
	p.Size(1280, 900)
	p.Dark(false)
}

// shotWhole takes pictures of all that the page has below one another, up to 4,000 pixels, at a width, light and dark.
func (p *Page) shotWhole(name string, width int) {
	p.t.Helper()
	if *screenshots == "" {
		return
	}
	var height int
	p.Eval("document.documentElement.scrollHeight", &height)
	p.Size(width, max(900, min(height, 4000)))
	for _, scheme := range []string{"light", "dark"} {
		p.Dark(scheme == "dark")
		p.ShotAs(fmt.Sprintf("%s-%d-%s", name, width, scheme))
	}
	p.Dark(false)
}

// ShotAs takes one picture as the page is now, when -screenshots names a directory.
func (p *Page) ShotAs(name string) {
	p.t.Helper()
	if *screenshots == "" {
		return
	}
	if err := os.MkdirAll(*screenshots, 0o755); err != nil {
		p.t.Fatal(err)
	}
	p.Rest()
	p.picture(filepath.Join(*screenshots, name+".png"))
}

func (p *Page) picture(file string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, 20*time.Second)
	defer cancel()
	data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(file, data, 0o644)
	}
	if err != nil {
		p.t.Logf("no picture: %v", err)
		return
	}
	p.t.Logf("a picture is in %s", file)
}
