import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileRow, Finding } from "../documents";
import { holes, step, without } from "../pages/code/holes";
import { head, layout, neighbour, type Box } from "../pages/code/layout";
import { groupSkipped } from "../pages/code/reasons";
import { stepOf } from "../pages/code/scale";
import { buildTree, find, share, unanswered, unjudged } from "../pages/code/tree";
import { group, keeps, type Filter } from "../pages/findings/groups";
import { fence, issueText, span } from "../pages/findings/issue";
import { busy } from "./busy";

const row = (path: string, lines: number, more: Partial<FileRow> = {}): FileRow => ({
  path, language: "go", lines, dispatched: lines, answered: lines, judged: lines, findings: 0, worst: "", ...more,
});

test("holes are the lines between and around what was seen", () => {
  assert.deepEqual(holes([], 3), [[1, 3]]);
  assert.deepEqual(holes([[1, 3]], 3), []);
  assert.deepEqual(holes([[2, 2], [5, 6]], 8), [[1, 1], [3, 4], [7, 8]]);
  assert.deepEqual(holes([[1, 9]], 3), []);
  assert.deepEqual(holes([[5, 9]], 3), [[1, 3]]);
  assert.deepEqual(holes([], 0), []);
});

test("the next one comes around at the end", () => {
  assert.equal(step([2, 5, 9], 0, 1), 2);
  assert.equal(step([2, 5, 9], 5, 1), 9);
  assert.equal(step([2, 5, 9], 9, 1), 2);
  assert.equal(step([2, 5, 9], 5, -1), 2);
  assert.equal(step([2, 5, 9], 2, -1), 9);
  assert.equal(step([], 2, 1), undefined);
});

test("directories sum up what is in them; one that holds only another is drawn with it", () => {
  const tree = buildTree([
    row("src/main/a.go", 10, { dispatched: 5, answered: 5, judged: 5, findings: 2, worst: "high" }),
    row("src/main/b.go", 10, { findings: 1, worst: "low" }),
    row("x.go", 0),
  ]);
  assert.deepEqual([tree.lines, tree.dispatched, tree.findings, tree.worst, tree.files], [20, 15, 3, 4, 3]);
  assert.deepEqual(tree.children.map((c) => c.name).sort(), ["src/main", "x.go"]);
  assert.equal(find(tree, "src/main").path, "src/main");
  assert.equal(find(tree, "src/main/gone").path, "src/main");
  assert.equal(find(tree, "__proto__").path, "");
  assert.equal(share(find(tree, "src/main")), 0.75);
  assert.equal(share({ lines: 0, judged: 0 }), 1);
});

test("lines that were sent and not answered are not reviewed", () => {
  assert.deepEqual(without([[1, 8]], [[2, 3], [8, 8]]), [[1, 1], [4, 7]]);
  assert.deepEqual(without([[1, 3], [6, 9]], [[1, 3], [7, 7]]), [[6, 6], [8, 9]]);
  assert.deepEqual(without([[4, 5]], []), [[4, 5]]);
  assert.deepEqual(without([], [[1, 2]]), []);
  const tree = buildTree([row("a", 10, { dispatched: 8, answered: 2, judged: 2 }), row("b", 10)]);
  assert.deepEqual([share(tree), unanswered(tree)], [0.6, 6]);
  const shade = (dispatched: number, answered: number) =>
    stepOf(buildTree([row("a", 10, { dispatched, answered, judged: answered })]).children[0]!, "coverage");
  const rules = buildTree([row("a.rs", 10, { judged: 0 }), row("b.py", 10, { judged: 5 })]);
  assert.deepEqual([share(rules), unjudged(rules), unanswered(rules)], [0.25, 15, 0]);
  assert.deepEqual(rules.children.map((n) => stepOf(n, "coverage")), ["cj", "c2"]);
  assert.deepEqual([shade(0, 0), shade(10, 0), shade(10, 4), shade(10, 10)], ["c0", "cu", "c1", "c4"]);
});

test("skipped files stand together by reason and by who left them out, source first", () => {
  const skip = (path: string, why: string, by: string, source = false) => ({ path, why, by, source });
  const groups = groupSkipped([
    skip("logo.png", "binary", "program"), skip("big.sql", "too large: 3 MiB", "program"),
    skip("big.go", "too large: 2 MiB", "program", true),
    skip("gone.go", "binary", "user", true), skip("old", "binary", "__proto__"),
  ]);
  assert.deepEqual(groups.map((g) => [g.reason, g.by, g.source, g.files.map((f) => f.path)]), [
    ["too large", "left out by the program", 1, ["big.go", "big.sql"]],
    ["binary", "left out by the program", 0, ["logo.png"]],
    ["binary", "left out by the user", 1, ["gone.go"]],
    ["binary", "", 0, ["old"]],
  ]);
  assert.equal(groups[0]!.files[0]!.note, "2 MiB");
});

test("rectangles lie side by side, inside of their directories, as large as their lines", () => {
  const rows: FileRow[] = [];
  for (let i = 0; i < 60; i++) rows.push(row(`d${i % 4}/e${i % 3}/f${i}.go`, 50 + ((i * 37) % 400)));
  const boxes = layout(buildTree(rows), 1200, 700);
  const leaves = boxes.filter((b) => !b.frame);
  assert.equal(leaves.length, 60);
  const within = (a: Box, b: { x: number; y: number; w: number; h: number }) =>
    a.x >= b.x - 0.01 && a.y >= b.y - 0.01 && a.x + a.w <= b.x + b.w + 1.01 && a.y + a.h <= b.y + b.h + 1.01;
  for (const b of boxes) assert(within(b, { x: 0, y: 0, w: 1200, h: 700 }), b.node.path);
  for (const f of boxes.filter((b) => b.frame)) {
    for (const b of boxes)
      if (b !== f && b.node.path.startsWith(f.node.path + "/"))
        assert(within(b, f) && b.y >= f.y + head - 0.01, `${b.node.path} in ${f.node.path}`);
  }
  for (const [i, a] of leaves.entries()) {
    for (const b of leaves.slice(i + 1))
      assert(
        a.x + a.w <= b.x + 0.01 || b.x + b.w <= a.x + 0.01 || a.y + a.h <= b.y + 0.01 || b.y + b.h <= a.y + 0.01,
        `${a.node.path} over ${b.node.path}`,
      );
  }
  // Of one directory, twice the lines are twice the area, up to the gaps.
  const of = leaves.filter((b) => b.node.path.startsWith("d0/e0/"));
  const density = of.map((b) => ((b.w + 1) * (b.h + 1)) / b.node.lines);
  assert(Math.max(...density) / Math.min(...density) < 1.02, density.join(" "));
  assert.equal(layout(buildTree([]), 100, 100).length, 0);
  assert.equal(layout(buildTree(rows), 0, 100).length, 0);
});

test("arrows go to the file beside", () => {
  const boxes = layout(buildTree([row("a", 100), row("b", 100), row("c", 100), row("d", 100)]), 400, 400).filter((b) => !b.frame);
  const at = (x: number, y: number) => boxes.find((b) => b.x < x && b.x + b.w > x && b.y < y && b.y + b.h > y)!;
  assert.equal(neighbour(boxes, at(100, 100), 1, 0), at(300, 100));
  assert.equal(neighbour(boxes, at(100, 100), 0, 1), at(100, 300));
  assert.equal(neighbour(boxes, at(300, 300), -1, 0), at(100, 300));
  assert.equal(neighbour(boxes, at(100, 100), -1, 0), undefined);
});

test("3,000 files are laid out in a fraction of a frame's budget", () => {
  const rows: FileRow[] = [];
  for (let i = 0; i < 3000; i++) rows.push(row(`a${i % 12}/b${i % 7}/c${i % 5}/f${i}.go`, 10 + ((i * 7919) % 900)));
  const tree = buildTree(rows);
  layout(tree, 1200, 700);
  const took = busy(() => layout(tree, 1200, 700));
  assert(took < 60, `${took} ms`);
});

const finding = (more: Partial<Finding>): Finding => ({
  id: "aaaa1111", title: "a title", severity: "low", category: "other", cwe: "", file: "a.go", line: 3, end_line: 3, evidence: "x := 1",
  explanation: "why", suggestion: "do", confidence: 0.5, grounded: true, sources: [], ...more,
});
const all: Filter = { text: "", severity: "", category: "", second: "" };

test("every word of a filter must stand somewhere in a finding", () => {
  assert(keeps({ ...all, text: "TITLE a.go" }, finding({})));
  assert(!keeps({ ...all, text: "title b.go" }, finding({})));
  assert(!keeps({ ...all, severity: "high" }, finding({})));
  assert(keeps({ ...all, second: "unverified" }, finding({})));
  assert(!keeps({ ...all, second: "executed" }, finding({ verification: { status: "stands" } })));
  assert(
    keeps(
      { ...all, second: "executed" },
      finding({ verification: { status: "stands", execution: { function: "f", file: "a", line: 1, check: "" } } }),
    ),
  );
});

test("groups come with the worst finding first", () => {
  const fs = [
    finding({ id: "1", severity: "low", file: "b.go" }), finding({ id: "2", severity: "high", file: "z.go", line: 9 }),
    finding({ id: "3", severity: "info", file: "z.go", line: 2 }),
  ];
  const shape = (by: "severity" | "file" | "category") => group(fs, by).map((r) => ("head" in r ? `${r.head} (${r.count})` : r.finding.id));
  assert.deepEqual(shape("severity"), ["high (1)", "2", "low (1)", "1", "info (1)", "3"]);
  assert.deepEqual(shape("file"), ["z.go (2)", "3", "2", "b.go (1)", "1"]);
  assert.deepEqual(shape("category"), ["other (3)", "2", "1", "3"]);
});

test("nothing in a finding leaves its place in an issue", () => {
  assert.equal(fence("a\n```\nb", "go"), "````go\na\n```\nb\n````");
  assert.equal(span("a`b``c"), "```a`b``c```");
  assert.equal(span("`a"), "`` `a ``");
  assert.equal(span("a\nb"), "`a b`");
  const text = issueText(
    finding({ title: "<img src=x>\n# no heading @everyone ![](http://192.0.2.1/x)", explanation: "<script>", evidence: "```\n</script>" }),
    "/repo", "",
  );
  assert.equal(text.split("\n")[0], "# &lt;img src=x> # no heading @\u200beveryone !\\[](http://192.0.2.1/x)");
  assert(!text.includes("<script>"), text);
  assert(text.includes("````go\n```\n</script>\n````"), text);
  assert(text.includes("`a.go:3`") && text.includes("Confidence 0.50"), text);
});
