import assert from "node:assert/strict";
import { test } from "node:test";
import base from "../css/tokens.css";
import map from "../pages/code/code.css";

type Theme = { [token: string]: string };

/** The colours of a theme; the dark one changes some of the light one. */
function theme(name: "light" | "dark"): Theme {
  const block = (selector: string) => {
    const colors = [base, map].flatMap((tokens) => {
      const from = tokens.indexOf(selector + " {");
      assert(from >= 0, selector);
      return [...tokens.slice(from, tokens.indexOf("\n}", from)).matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)];
    });
    return Object.fromEntries(colors.map((m) => [m[1]!, m[2]!]));
  };
  return name === "light" ? block(":root") : { ...block(":root"), ...block(':root[data-theme="dark"]') };
}

/** Relative luminance, as WCAG 2.2 defines it. */
function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5]
    .map((i) => parseInt(color.slice(i, i + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

const surfaces = ["bg", "bg-raised", "bg-sunken", "bg-selected"];
const marked = ["bg-bad", "bg-high", "bg-warn", "bg-unanswered", "diff-add", "diff-add-word", "diff-del", "diff-del-word"];
/** What is read, and what it may stand on. */
const texts: { [token: string]: string[] } = {
  text: [...surfaces, ...marked, "bg-good", "bg-live"],
  "text-muted": [...surfaces, "worst-0", "bg-bad", "bg-warn", "bg-unanswered", "diff-add", "diff-del"],
  accent: surfaces,
  good: [...surfaces, "bg-good"],
  warn: [...surfaces, "bg-warn"],
  bad: [...surfaces, "bg-bad"],
  live: [...surfaces, "bg-live"],
  high: [...surfaces, "bg-high"],
  "on-accent": ["accent"],
  "code-comment": [...surfaces, ...marked],
  "code-string": [...surfaces, ...marked],
  "code-keyword": [...surfaces, ...marked],
  "code-number": [...surfaces, ...marked],
  "on-seen-1": ["seen-1"],
  "on-seen-2": ["seen-2"],
  "on-seen-3": ["seen-3"],
  "on-seen-4": ["seen-4"],
  "on-worst": ["worst-1", "worst-2", "worst-3"],
  "on-worst-deep": ["worst-4", "worst-5"],
};

for (const name of ["light", "dark"] as const) {
  test(`texts keep 4.5:1 on whatever they stand on, lines of charts 3:1 (${name})`, () => {
    const colors = theme(name);
    const failures: string[] = [];
    const check = (front: string, back: string, least: number) => {
      const [f, b] = [colors[front], colors[back]];
      assert(f !== undefined && b !== undefined, `${front} on ${back}: no such token`);
      const ratio = contrast(f, b);
      if (ratio < least) failures.push(`${front} on ${back}: ${ratio.toFixed(2)}`);
    };
    for (const [front, backs] of Object.entries(texts)) for (const back of backs) check(front, back, 4.5);
    for (let i = 1; i <= 8; i++) check(`series-${i}`, "bg", 3);
    for (const s of ["info", "low", "medium", "high", "critical"]) check(`severity-${s}`, "bg", 3); // dots and flags
    check("unanswered", "bg", 3); // marks of lines without an answer
    check("accent", "bg-raised", 3); // the ring around what has the focus
    check("bg", "bad", 4.5); // the badge of a critical finding
    assert.deepEqual(failures, []);
  });
}

test("the contrast of black on white is 21, of a colour on itself 1", () => {
  assert.equal(contrast("#000000", "#ffffff").toFixed(1), "21.0");
  assert.equal(contrast("#777777", "#ffffff").toFixed(2), "4.48");
  assert.equal(contrast("#1a5fc8", "#1a5fc8"), 1);
});

/** A colour in OKLab, where the distance of two is how different they look. */
function oklab(color: string): [number, number, number] {
  const [r, g, b] = [1, 3, 5]
    .map((i) => parseInt(color.slice(i, i + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  const [l, m, s] = [
    0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b, 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
  ].map(Math.cbrt) as [number, number, number];
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

for (const name of ["light", "dark"] as const) {
  test(`critical and high are two colours (${name})`, () => {
    const colors = theme(name);
    for (const [a, b] of [["severity-critical", "severity-high"], ["worst-5", "worst-4"]] as const) {
      const [x, y] = [oklab(colors[a]!), oklab(colors[b]!)];
      const distance = Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
      assert(distance > 0.1, `${a} and ${b} are ${distance.toFixed(3)} apart`);
    }
  });
}
