import assert from "node:assert/strict";
import { test } from "node:test";
import type { LocatedLevel, LocatedPlace, LevelName } from "../documents";
import { stackScene } from "../kit/stack";
import { extent, figure, given, goldIn, metricOf, partNames, partsOf, saidOf, signalsOf } from "../pages/eval/signals";

const place = (why: { [name: string]: number }, more: Partial<LocatedPlace> = {}): LocatedPlace => ({
  path: "a.py", gold: 0, why: Object.entries(why).map(([name, value]) => ({ name, value })), ...more,
});
const level = (name: LevelName, places: LocatedPlace[], more: Partial<LocatedLevel> = {}): LocatedLevel => ({
  level: name, ranked: places.length, gold: 0, places, missed: [], ...more,
});

test("signals stand in the order of what they moved; a colour is one signal in all rankings", () => {
  const files = level("files", [place({ words: 1, graph: -3 }), place({ words: 1.5, title: 0.1 })]);
  const functions = level("functions", [place({ name: 8, words: 2 })]);
  assert.deepEqual(signalsOf(files), ["graph", "words", "title"]);
  assert.deepEqual(partNames([files, functions]), ["name", "words", "graph", "title"], "by shares: 0.8, 0.65, 0.54, 0.02");
  assert.deepEqual(partNames([files, level("lines", functions.places)]), ["graph", "words", "title"]);
  assert.deepEqual(partNames([level("files", [])]), []);
});

test("beyond seven signals the weakest are one part, and nothing of a score is lost", () => {
  const many = place(Object.fromEntries(Array.from({ length: 10 }, (_, i) => ["s" + i, 10 - i])));
  const names = partNames([level("files", [many])]);
  assert.deepEqual(names, ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "others"]);
  const parts = partsOf(many, names);
  assert.deepEqual(parts.at(-1), { name: "others", value: 3 + 2 + 1 });
  assert.equal(parts.reduce((sum, q) => sum + q.value, 0), 55);
  const eight = place(Object.fromEntries(Array.from({ length: 8 }, (_, i) => ["s" + i, 1])));
  assert.equal(partNames([level("files", [eight])]).at(-1), "s7", "the eighth needs no others");
  assert.deepEqual(partsOf(place({ x: 1, others: 2 }), ["x", "others"]).at(-1), { name: "others", value: 2 }, "a stranger's own others");
});

test("bars lie in one scale, with what takes from a score left of 0", () => {
  const bars = [[{ name: "a", value: 2 }, { name: "b", value: -1 }], [{ name: "a", value: 1 }, { name: "b", value: 2 }]];
  const { from, to } = extent(bars);
  assert.deepEqual([from, to], [-1, 3]);
  const drawn = (parts: { name: string; value: number }[], from: number, to: number) =>
    stackScene(parts, from, to, figure).shapes.map((s) => (s.kind === "rect" ? `${s.title}: ${s.x} to ${s.x + s.w}, ${s.color}` : s.kind));
  assert.deepEqual(drawn(bars[0]!, from, to), ["a 2.00: 50 to 150, series-1", "b −1.00: 0 to 50, series-2", "line"]);
  assert.deepEqual(drawn(bars[1]!, 0, 4), ["a 1.00: 0 to 50, series-1", "b 2.00: 50 to 150, series-2"]);
  assert.deepEqual(
    drawn([{ name: "a", value: -1 }, { name: "b", value: 2 }, { name: "c", value: -1 }], -2, 2),
    ["a −1.00: 50 to 100, series-1", "b 2.00: 100 to 200, series-2", "c −1.00: 0 to 50, series-3", "line"],
  );
  assert.deepEqual(drawn([{ name: "a", value: 0 }, { name: "b", value: NaN }], 0, 0), [], "nothing is nothing");
  assert.deepEqual(extent([]), { from: 0, to: 0 });
});

test("signals are said in words, the strongest first, and in figures", () => {
  const p = place({ title: 0.1, graph: -0.504, words: 2.4 });
  assert.equal(saidOf(p), "words 2.40, graph −0.50, title 0.10");
  assert.equal(saidOf(place({})), "");
  assert.equal(given(p, "graph"), -0.504);
  assert.equal(given(p, "path"), null);
});

test("metrics are those that the rollout says, and gold is counted in places or lines", () => {
  const metrics = [{ name: "acc@5", value: 1 }, { name: "function_acc@5", value: 0 }];
  assert.deepEqual(
    (["files", "functions", "lines"] as const).map((l) => metricOf(metrics, l, 5)), [1, 0, undefined],
  );
  assert.equal(metricOf(metrics, "files", 1), undefined);
  assert.equal(goldIn(level("lines", [], { gold: 7, missed: [place({}, { gold: 2 }), place({}, { gold: 1 })] })), 4);
});
