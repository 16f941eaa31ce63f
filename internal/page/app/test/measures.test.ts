import assert from "node:assert/strict";
import { test } from "node:test";
import type { BenchDoc, TrainingSteps } from "../documents";
import { labelPlace } from "../kit/chart-marks";
import { lowerOn } from "../pages/bench/tables";
import { worsened } from "../pages/eval/worse";
import { overlays } from "../pages/training/compare";
import { measures } from "../pages/training/curves";
import { smoothed, withMeans } from "../pages/training/smooth";

test("smoothing takes means of both sides, keeps gaps and what lies at the ends", () => {
  const points = [[0, 0], [1, 6], [2, 0], [3, null], [4, 4]] as const;
  assert.deepEqual(smoothed(points, 3), [[0, 0], [1, 2], [2, 3], [3, null], [4, 4]]);
  assert.deepEqual(smoothed(points, 1).map(([, y]) => y), [0, 6, 0, null, 4]);
  assert.deepEqual(smoothed([], 5), []);
});

test("a smoothed line stands over its steps; what is measured now and then stays", () => {
  const points: [number, number][] = [[0, 1], [1, 3], [2, 1]];
  const lines = withMeans([{ name: "reward", points }, { name: "held out", points, marks: true }], 5);
  assert.deepEqual(lines.map((s) => `${s.name} ${s.faint === true}`), ["reward false", "reward true", "held out false"]);
  assert.deepEqual(withMeans([{ name: "reward", points }], 1), [{ name: "reward", points }]);
});

test("several trainings are laid over one another by every measure that one of them has", () => {
  const steps = (columns: { [name: string]: (number | null)[] }): TrainingSteps => ({ total: 2, from: 0, step: [0, 1], columns });
  const charts = overlays([
    { name: "a", method: "grpo", steps: steps({ reward: [null, 0.5], heldout: [0.1, 0.2], loss: [1, 2] }) },
    { name: "b", method: "grpo", steps: steps({ heldout: [0.3, null] }) },
    { name: "c", method: "sft", steps: steps({ heldout: [3, 2], loss: [5, 4] }) },
    { name: "d", method: "grpo", steps: undefined },
  ]);
  assert.deepEqual(charts.map((c) => `${c.column}: ${c.series.map((s) => s.name).join(" ")}`), ["heldout: a b", "reward: a", "loss: a c"]);
  assert.deepEqual(charts[0]?.series[1]?.points, [[0, 0.3]], "what was not measured is no gap of a sparse line");
  assert.equal(new Set(measures().map((m) => m.column)).size, measures().length);
});

test("what got worse is said beside what got better", () => {
  const change = (name: string, before: number | null, after: number | null, moreIsWorse = true) => ({ name, before, after, moreIsWorse });
  assert.deepEqual(
    worsened({ worse: 2, of: 9 }, [
      change("turns", 2.97, 3.38), change("tokens", 100, 90), change("recall", 0.9, 0.5, false), change("coverage", 0.5, 0.6, false),
      change("errors", null, 3), change("alike", 1, 1),
    ]),
    ["2 of 9 tasks", "turns (2.97 to 3.38)", "recall (0.9 to 0.5)"],
  );
  assert.deepEqual(worsened({ worse: 0, of: 9 }, []), []);
});

test("a bench's verdict says where the better one found less", () => {
  const run = (codebase: string, found: number) => ({ codebase, truth: { found, total: 10 } });
  const doc = {
    codebases: [{ name: "x" }, { name: "y" }, { name: "z" }],
    rows: [{ config: "A", runs: [run("x", 5), run("y", 1)] }, { config: "B", runs: [run("x", 3), run("y", 9), run("z", 2)] }],
  } as unknown as BenchDoc;
  assert.equal(lowerOn(doc, { a: "A", b: "B" }), "; B found less on 1 of 2");
  assert.equal(lowerOn(doc, { a: "A", b: "A" }), "");
});

test("in a crowd every mark keeps its name, and no name covers another", () => {
  const frame = { left: 0, right: 600, top: 0, bottom: 300 };
  const taken: { x: number; y: number; w: number; h: number }[] = [];
  const points = Array.from({ length: 12 }, (_, i) => [590, 150 + 2 * i] as const);
  for (const [x, y] of points) taken.push({ x: x - 5, y: y - 5, w: 10, h: 10 });
  const names = points.map(([x, y], i) => labelPlace("configuration " + i, x, y, frame, taken));
  assert(names.every((p) => p !== null), `${names.filter((p) => p === null).length} have none`);
  const boxes = names.flatMap((p) => (p === null ? [] : [p]));
  for (const a of boxes) for (const b of boxes)
    assert(a === b || a.x >= b.x + b.w || b.x >= a.x + a.w || a.y >= b.y + b.h || b.y >= a.y + a.h);
});
