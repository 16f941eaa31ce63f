import assert from "node:assert/strict";
import { test } from "node:test";
import type { Trace } from "../documents";
import { beginning } from "../pages/run/clip";
import { shown } from "../pages/run/filter";
import { running } from "../pages/run/overview";
import { readPlace } from "../pages/run/place";
import { pieces } from "../pages/run/reply";
import { sections } from "../pages/run/sections";
import { sliced } from "../pages/run/strip";
import { addressOf, fold } from "../pages/run/timeline";
import { joined } from "../pages/run/trace";
import { ending } from "../pages/run/words";

interface Event {
  kind: string;
  node?: number;
  turn?: number;
  at?: number;
  seconds?: number;
  cost?: number | null;
  flags?: number;
  label?: string;
}

function trace(nodes: string[], events: Event[], from = 0): Trace {
  const column = <T>(f: (e: Event, i: number) => T) => events.map(f);
  return {
    total: from + events.length, from, complete: events.at(-1)?.kind === "e", nodes, started_at: "2026-11-21T10:00:00Z", seq0: from + 1,
    kind: events.map((e) => e.kind).join(""),
    turn: column((e) => e.turn ?? 0), node: column((e) => e.node ?? 0), at_ms: column((e, i) => e.at ?? 1000 * (from + i)),
    seconds: column((e) => e.seconds ?? 0),
    cost_usd: column((e) => (e.cost === undefined ? 0 : e.cost)), flags: column((e) => e.flags ?? 0), label: column((e) => e.label ?? ""),
    tokens_in: column(() => 1), tokens_out: column(() => 1),
  };
}

const lines = (t: Trace) => fold(t).rows.map((r) => `${r.depth} ${r.kind} ${r.number}${r.kind === "turn" ? " #" + r.seq : ""}`);

test("child loops stand below the turn that began them, whole, though their events come mixed", () => {
  const a = "t001.c01.d001.0001";
  const b = "t001.c01.d001.0002";
  const deep = a + "/t002.c01.d001.0001";
  const t = trace(["", a, b, deep], [
    { kind: "s" }, { kind: "r", turn: 1 },
    {
      kind: "r", node: 1, turn: 1 }, { kind: "r", node: 2, turn: 1 }, { kind: "r", node: 1, turn: 2 }, { kind: "r", node: 3,
      turn: 1 }, { kind: "r", node: 2, turn: 2,
    },
    { kind: "c", turn: 1 }, { kind: "g", turn: 1 }, { kind: "r", turn: 2 }, { kind: "e" },
  ]);
  assert.deepEqual(lines(t), [
    "0 turn 1 #2", "1 loop 2", "1 turn 1 #3", "1 turn 2 #5", "2 loop 1", "2 turn 1 #6", "1 loop 2", "1 turn 1 #4", "1 turn 2 #7",
    "0 gate 1", "0 turn 2 #10", "0 end 0",
  ]);
  assert.equal(fold(t).totals.loops, 3);
});

test("names of loops that a hostile trace makes up lose no turn and end", () => {
  for (const nodes of [
    ["", "x", "/", "a/b", "t001.", "t001./t001."],
    ["t001.a/t001.b", "t001.a", "t001.a/t001.b/t001.c"],
    ["", "", ""],
    [],
  ]) {
    const t = trace(nodes, Array.from({ length: 18 }, (_, i) => ({ kind: "r", node: i % 6, turn: 1 + (i % 3) })));
    assert.equal(fold(t).turns.length, 18, JSON.stringify(nodes));
  }
  const chain = Array.from(
    { length: 20_000 },
    (_, i) => "t001.d".concat("/t001.d".repeat(Math.min(i, 300))).slice(0, 2000) + (i > 300 ? "x" + i : ""),
  );
  assert(fold(trace(["", ...chain], chain.map((_, i) => ({ kind: "r", node: i + 1, turn: 1 })))).turns.length === 20_000);
});

test("a turn sums what it led to; an unknown price makes its cost unknown", () => {
  const t = trace([""], [
    { kind: "s" }, { kind: "r", turn: 1, at: 2000, seconds: 1.5, cost: 0.5, label: "words" },
    {
      kind: "d", turn: 1, at: 3000, cost: 0.25, flags: 2 }, { kind: "d", turn: 1, at: 5000, cost: 0.25, flags: 1 }, { kind: "c", turn: 1,
      at: 5500, flags: 1 | 32, label: "code",
    },
    { kind: "r", turn: 2, cost: 1, at: 6000 }, { kind: "d", turn: 2, cost: null, at: 7000 }, { kind: "d", turn: 9, at: 7100 },
  ]);
  const { rows, totals, turnOf } = fold(t);
  const [one, two] = rows;
  assert.deepEqual(
    [one?.from, one?.to, one?.cost, one?.errors, one?.repeated, one?.dispatched, one?.label],
    [500, 5500, 1, 2, true, 2, "code"],
  );
  assert.equal(two?.cost, null);
  assert.deepEqual(
    [totals.rootCost, totals.workerCost, totals.dispatches, totals.cached, totals.errors, totals.longest],
    [1.5, null, 4, 1, 2, 5000],
  );
  assert.deepEqual([turnOf(4), turnOf(6), turnOf(8), turnOf(99)], [one, two, undefined, undefined]);
});

test("what came after a resumption belongs to the reply that was asked for again; nothing belongs to the reserved last turn", () => {
  const t = trace([""], [
    {
      kind: "s" }, { kind: "r", turn: 1, flags: 1 }, { kind: "s" }, { kind: "r", turn: 1 }, { kind: "d", turn: 1 }, { kind: "r", turn: 1,
      flags: 16 }, { kind: "d", turn: 1,
    },
  ]);
  assert.deepEqual(
    fold(t).rows.map((r) => [r.kind, r.dispatched, r.synthesis]),
    [
      ["turn", 0, false],
      ["start", 0, false],
      ["turn", 2, false],
      ["turn", 0, true],
    ],
  );
});

test("a trace that grows is the same as one that was read whole", () => {
  const events: Event[] = Array.from({ length: 30 }, (_, i) => ({ kind: "srdc"[i % 4] ?? "d", turn: i >> 2, label: "l" + i, cost: i }));
  const whole = trace([""], events);
  const old = trace([""], events.slice(0, 12));
  assert.deepEqual(joined({ ...old, total: 30 }, trace([""], events.slice(12), 12)), whole);
  assert.equal(joined(old, trace([""], events.slice(13), 13)), undefined, "a gap is no growth");
});

test("the filter finds words of cells and dispatches, turn numbers, errors and loops", () => {
  const t = trace(["", "t001.c01.d001.0001"], [
    { kind: "r", turn: 1, label: "alpha" }, { kind: "c", turn: 1, label: "Beta" }, { kind: "d", turn: 1, label: "src/gamma.py" },
    { kind: "r", turn: 12, flags: 1, label: "x" }, { kind: "r", node: 1, turn: 1, label: "child" },
  ]);
  const find = (text: string, errors = false, node?: number) => shown(fold(t), t, { text, errors, node }).map((r) => `${r.kind}${r.seq}`);
  assert.deepEqual(find("BETA"), ["turn1"]);
  assert.deepEqual(find("gamma"), ["turn1"]);
  assert.deepEqual(find("#12"), ["turn4"]);
  assert.deepEqual(find("", true), ["turn4"]);
  assert.deepEqual(find("", false, 1), ["loop5", "turn5"]);
  assert.deepEqual(find("nowhere"), []);
});

test("a prompt cut at its files is the prompt", () => {
  const prompt =
    "Review.\n\n=== FILE: a b.py (lines 3-4 of 9) ===\nx = 1\n=== FILE: no header\n=== FILE: c.go (lines 1-1 of 1) ===\npackage c\n";
  const parts = sections(prompt);
  assert.deepEqual(parts.map((p) => [p.path, p.from]), [[undefined, 1], ["a b.py", 3], ["c.go", 1]]);
  assert.equal(parts.map((p) => p.head + p.text).join(""), prompt);
  const many = "=== FILE: a (lines 1-1 of 1) ===\n".repeat(5000);
  assert.equal(sections(many).map((p) => p.head + p.text).join(""), many);
  assert(sections(many).length <= 2000);
});

test("a reply is cut at its cells, whatever the fence", () => {
  const cells = [{ index: 1, code: "a = 1\nb = 2" }, { index: 2, code: "c" }];
  assert.deepEqual(pieces("First.\n\n```python\na = 1\nb = 2\n```\nThen:\n~~~\nc\n~~~\nDone.", cells), [
    { text: "First.\n\n" }, { cell: 1 }, { text: "\nThen:\n" }, { cell: 2 }, { text: "\nDone." },
  ]);
  assert.deepEqual(pieces("a = 1\nb = 2", cells.slice(0, 1)), [{ cell: 1 }]);
  assert.deepEqual(pieces("only words", cells), [{ text: "only words" }]);
});

test("beginnings are short, in lines and in characters", () => {
  const long = Array.from({ length: 100 }, (_, i) => "line " + i + " " + "x".repeat(40)).join("\n");
  assert.equal(beginning(long, 10).split("\n").length, 10);
  assert.equal(beginning("x".repeat(1e6), 10).length, 6000);
  assert.equal(beginning("a\nb", 1), "a\nb", "a line more is less than a button");
});

test("the strip holds all time and all errors", () => {
  const t = trace(
    [""],
    [
      { kind: "r", at: 1000, seconds: 1 },
      { kind: "d", at: 10_000, seconds: 5, flags: 1 },
      { kind: "d", at: -5, seconds: 1e12 },
    ],
  );
  const s = sliced(t, 10_000, 100);
  const sum = (x: number[]) => x.reduce((a, b) => a + b, 0);
  assert(Math.abs(sum(s.thinking) - 10) < 1e-6, "one second in slices of 0.1 s");
  assert.equal(sum(s.errors), 1);
  assert(s.flying.every((x) => Number.isFinite(x) && x >= 0));
});

test("a running total is unknown from the first unknown price on, and keeps its end when thinned out", () => {
  const t = trace([""], Array.from({ length: 1001 }, (_, i) => ({ kind: "d", at: i, cost: i === 1000 ? null : 1 })));
  const line = running(t, "d", 50);
  assert(line.length <= 52);
  assert.deepEqual(line.at(-1), [1, null]);
  assert.deepEqual(line[0], [0, 0]);
});

test("turns/1 is turn 1; a child's turn is named by its event, and what names none says so", () => {
  assert.deepEqual(readPlace(["12", "dispatch", "15"]), { turn: 12, dispatch: 15 });
  assert.deepEqual(readPlace(["e12", "cell", "15"]), { event: 12, cell: 15 });
  assert.deepEqual(readPlace([]), {});
  for (const bad of ["x", "-1", "1e3", "99999999999999999999", "..", "e", "e-1"])
    assert.deepEqual(readPlace([bad, "cell", "1"]), { unknown: bad });
  const t = fold(trace(["", "t001.c01.d001.0001"], [
    { kind: "s" }, { kind: "r", turn: 1 }, { kind: "r", node: 1, turn: 1 }, { kind: "r", turn: 2 }, { kind: "r", turn: 2, flags: 16 },
  ]));
  assert.deepEqual([t.numbered(1)?.seq, t.numbered(2)?.seq, t.numbered(3)], [2, 4, undefined]);
  const again = fold(trace([""], [{ kind: "s" }, { kind: "s" }, { kind: "r", turn: 1 }, { kind: "s" }]));
  assert.deepEqual(again.rows.map((r) => r.kind), ["turn", "start"], "only to begin again after a turn is news");
  const names = t.rows.filter((r) => r.kind === "turn").map((r) => `${r.seq}:${addressOf(t, r)}`);
  assert.deepEqual(names, ["2:1", "3:e3", "4:2", "5:e5"]);
  assert.equal(ending("answer"), "The root handed in its answer");
  assert.equal(ending("constructor"), "constructor");
});
