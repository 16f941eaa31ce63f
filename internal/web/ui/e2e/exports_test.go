package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// saved presses a button and answers what it hands to the browser to be saved.
func saved(t *testing.T, p *Page, selector string) []byte {
	t.Helper()
	p.Eval(`window.kept = ''; URL.createObjectURL = (blob) => {
		const reader = new FileReader();
		reader.onload = () => { window.kept = reader.result };
		reader.readAsDataURL(blob);
		return '#';
	}`, nil)
	p.Eval(`addEventListener('click', (e) => e.target.download && e.preventDefault(), true)`, nil)
	p.Click(selector)
	p.Until("what "+selector+" saves", "window.kept !== ''")
	var address string
	p.Eval("window.kept", &address)
	_, text, _ := strings.Cut(address, ",")
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data) == 0 {
		t.Fatalf("%s saves %d bytes: %v", selector, len(data), err)
	}
	return data
}

// Every chart leaves the page as PNG and SVG, every table as CSV.
func TestExports(t *testing.T) {
	dir := evaluated(t)
	p := open(t, dir)
	p.Go("eval")
	p.Wait("Parts of the reward")
	p.WaitFor(".chart-tools")

	records, err := csv.NewReader(bytes.NewReader(saved(t, p, "button[aria-label='Rollouts as CSV']"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 1+8 {
		t.Errorf("%d lines for a header and 8 rollouts", len(records))
	}

	picture, err := png.Decode(bytes.NewReader(saved(t, p, ".chart-tools button[aria-label$=PNG]")))
	if err != nil {
		t.Fatal(err)
	}
	colors := map[string]bool{}
	for y := 0; y < picture.Bounds().Dy(); y += 3 {
		for x := 0; x < picture.Bounds().Dx(); x += 3 {
			r, g, b, _ := picture.At(x, y).RGBA()
			colors[string([]byte{byte(r >> 8), byte(g >> 8), byte(b >> 8)})] = true
		}
	}
	if size := picture.Bounds(); size.Dx() != 1800 || len(colors) < 3 {
		t.Errorf("a picture of %v with %d colours", size, len(colors))
	}

	drawing := saved(t, p, ".chart-tools button[aria-label$=SVG]")
	elements := map[string]int{}
	for d := xml.NewDecoder(bytes.NewReader(drawing)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the SVG is no XML: %v", err)
		}
		if start, ok := token.(xml.StartElement); ok {
			elements[start.Name.Local]++
		}
	}
	if elements["text"] < 5 || elements["rect"]+elements["circle"]+elements["polyline"] < 5 {
		t.Errorf("the drawing holds %v", elements)
	}
	if bytes.Contains(drawing, []byte("var(--")) || bytes.Contains(drawing, []byte("NaN")) {
		t.Error("the drawing leaves colours or places open")
	}
}

// The list of runs: what lies inside a run folds, the order and the filters are in the address.
func TestListFoldsAndFilters(t *testing.T) {
	reviewed(t)
	evaluated(t)
	benched(t)
	p := openList(t, filepath.Join(world, "runs"))
	p.Wait("planted-review", "honest-eval", "two-ways-bench")
	all := rows(p, "Runs")
	inside := `[aria-label*="inside two-ways-bench"]`
	p.Click(inside)
	p.Until("the bench's runs", fmt.Sprintf("document.querySelector(%s)?.getAttribute('aria-expanded') === 'true' && "+
		"document.querySelectorAll('.run-name').length > %d", quote(inside), all))
	p.Click(inside)
	p.Until("the bench alone", fmt.Sprintf("document.querySelector(%s)?.getAttribute('aria-expanded') === 'false' && "+
		"document.querySelectorAll('.run-name').length === %d", quote(inside), all))
	p.Type("input[type=search]", "no such run anywhere")
	p.Wait("No run passes the filters")
	if hash := p.Hash(); !strings.Contains(hash, "q=no+such+run") {
		t.Errorf("the filter is not in the address: %s", hash)
	}
	p.ClickText("Show all")
	p.Wait("planted-review", "honest-eval")
	if n := rows(p, "Runs"); n != all {
		t.Errorf("%d rows after the filter, %d before it", n, all)
	}
	p.Click("th button")
	p.Until("an order", "document.querySelector('th[aria-sort]')?.getAttribute('aria-sort') === 'ascending'")
	p.Click("th button")
	p.Until("the other order", "document.querySelector('th[aria-sort]')?.getAttribute('aria-sort') === 'descending'")
	p.Until("rows in that order", "(names => names.length > 1 && names.every((n, i) => i === 0 || names[i - 1].localeCompare(n, 'en', "+
		"{numeric: true, sensitivity: 'base'}) >= 0))([...document.querySelectorAll('.run-name a')].map(a => a.textContent))")
	if hash := p.Hash(); !strings.Contains(hash, "sort.runs=-name") {
		t.Errorf("the order is not in the address: %s", hash)
	}
}
