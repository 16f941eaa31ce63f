package e2e

import (
	"fmt"
	"testing"
	"time"
)

// overflow are elements that stick out of the window to the right, where none may: what is wide scrolls in its own box.
const overflow = `document.documentElement.scrollWidth > innerWidth + 1 ? [...document.querySelectorAll('body *')]
	.filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('svg') && ` +
	`![...(function* () { for (let a = e.parentElement; a; a = a.parentElement) yield a; })()].some(a => ` +
	`['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(a).overflowX) && a !== document.body && a !== document.documentElement))
	.slice(0, 5).map(e => e.outerHTML.slice(0, 160)) : []`

// nameless are things to press or fill in that have no name for who does not see them.
const nameless = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [role=button], [role=tab], ` +
	`[role=link]')].filter(e => e.checkVisibility() &&
	!((e.innerText ?? '').trim() || e.getAttribute('aria-label') || e.getAttribute('title') || e.getAttribute('placeholder') || ` +
	`e.labels?.length > 0 ||
	document.getElementById(e.getAttribute('aria-labelledby') ?? '')?.innerText || ` +
	`e.querySelector('img[alt], svg[aria-label], title'))).map(e => e.outerHTML.slice(0, 160))`

// twice are ids that more than one element has.
const twice = `[...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i)`

// faint are texts whose contrast with what is behind them is below 4.5 (3 where they are large).
const faint = `(() => {
	const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
	const rgba = c => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); ` +
	`const d = canvas.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
	const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]));
	const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); ` +
	`return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const behind = e => { const stack = []; for (let a = e; a; a = a.parentElement) stack.push(rgba(getComputedStyle(a).backgroundColor)); ` +
	`return stack.reverse().reduce((below, top) => over(top, below), ` +
	`rgba(getComputedStyle(document.documentElement).colorScheme.includes('dark') && matchMedia('(prefers-color-scheme: dark)').matches ` +
	`? '#121212' : '#ffffff').slice(0, 3)); };
	const found = [];
	for (const e of document.querySelectorAll('body *')) {
		if (e.closest('svg, canvas, [disabled], [aria-disabled=true]') || ` +
	`!e.checkVisibility({opacityProperty: true, visibilityProperty: true}) || ` +
	`![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		const style = getComputedStyle(e), back = behind(e), front = over(rgba(style.color), back);
		const [a, b] = [light(front), light(back)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
		const large = parseFloat(style.fontSize) >= 24 || parseFloat(style.fontSize) >= 18.6 && parseInt(style.fontWeight) >= 700;
		if (ratio < (large ? 3 : 4.5) - 0.02) found.push(ratio.toFixed(2) + ' ' + e.outerHTML.slice(0, 120));
	}
	return found.slice(0, 5);
})()`

// What the checks below look for, they find.
func TestLayoutChecks(t *testing.T) {
	needBrowser(t)
	p := open(t, reviewed(t))
	p.settled("#/run/" + p.run)
	p.Eval(`(() => {
		const add = (name, style, text, id) => { const e = document.createElement(name); Object.assign(e.style, style); e.textContent = text; `+
		`if (id) e.id = id; document.querySelector('main').prepend(e); };
		add('div', {width: '5000px'}, 'wide', 'same');
		add('button', {}, '', 'same');
		add('p', {color: '#888', background: '#777'}, 'hard to read');
		add('p', {width: '20px', overflowWrap: 'anywhere'}, '1,234,567');
		add('p', {width: '10px', overflow: 'hidden', whiteSpace: 'nowrap'}, 'cut away');
	})()`, nil)
	for what, script := range map[string]string{"overflow": overflow, "nameless": nameless, "twice": twice, "faint": faint,
		"broken": broken, "squeezed": squeezed} {
		var found []string
		if p.Eval(script, &found); len(found) != 1 {
			t.Errorf("%s finds %q, want one", what, found)
		}
	}
}

// Every section fits into windows of 360 to 2560 pixels, has a name for everything that can be pressed, and can be read in
// light and dark.
func TestLayout(t *testing.T) {
	needBrowser(t)
	for kind, dir := range everyKind(t) {
		t.Run(kind, func(t *testing.T) {
			p := open(t, dir)
			for _, place := range append([]string{"#/run/" + p.run}, p.sections()...) {
				p.Eval("location.hash = "+quote(place), nil)
				p.settled(place)
				for _, width := range []int{360, 768, 1280, 2560} {
					p.Size(width, 900)
					p.none(fmt.Sprintf("%s, %d pixels: sticks out", place, width), overflow)
				}
				p.Size(1280, 900)
				p.none(place+": has no name", nameless)
				p.none(place+": an id twice", twice)
				for _, dark := range []bool{false, true} {
					p.Dark(dark)
					p.none(fmt.Sprintf("%s, dark %v: faint", place, dark), faint)
				}
				p.Dark(false)
			}
		})
	}
}

// none fails the test when a script goes on finding anything: a chart follows its window a moment later.
func (p *Page) none(what, script string) {
	p.t.Helper()
	var found []string
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		found = nil
		if p.Eval(script, &found); len(found) == 0 || time.Now().After(deadline) {
			break
		}
	}
	for _, one := range found {
		p.t.Errorf("%s: %s", what, one)
	}
}
