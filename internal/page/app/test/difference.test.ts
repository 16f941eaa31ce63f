import assert from "node:assert/strict";
import { test } from "node:test";
import { diffLines, matches } from "../kit/difference";
import { busy } from "./busy";

/** Both sides of a difference, put together again. */
function sides(before: string, after: string): [string, string] {
  const lines = diffLines(before, after);
  const side = (op: string) => lines.filter((l) => l.op === "same" || l.op === op).map((l) => l.text).join("\n");
  return [side("del"), side("add")];
}

/** A generator of numbers in [0, 1) that is the same in every run. */
function dice(seed: number): () => number {
  return () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

test("a difference holds both texts, in order, whatever they are", () => {
  const roll = dice(7);
  for (let i = 0; i < 300; i++) {
    const text = () => Array.from({ length: Math.floor(roll() * 30) }, () => "abcdef"[Math.floor(roll() * 6)]).join("\n");
    const [before, after] = [text(), text()];
    assert.deepEqual(sides(before, after), [before, after]);
  }
});

test("the shortest edit is found", () => {
  assert.equal(diffLines("a\nb\nc\na\nb\nb\na", "c\nb\na\nb\na\nc").filter((l) => l.op !== "same").length, 5); // Myers' own example
  const roll = dice(11);
  for (let i = 0; i < 200; i++) {
    const list = () => Array.from({ length: Math.floor(roll() * 12) }, () => "abc"[Math.floor(roll() * 3)]!);
    const [a, b] = [list(), list()];
    assert.equal(matches(a, b, 100)!.length, longestCommon(a, b), JSON.stringify([a, b]));
  }
});

function longestCommon(a: string[], b: string[]): number {
  const row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    let corner = 0;
    b.forEach((y, j) => {
      const old = row[j + 1]!;
      row[j + 1] = x === y ? corner + 1 : Math.max(old, row[j]!);
      corner = old;
    });
  }
  return row[b.length]!;
}

test("a replaced line says which words changed", () => {
  const [del, add] = diffLines("  return total / count", "  return total / max(count, 1)");
  assert.equal(del!.words!.length, 0);
  assert.deepEqual(add!.words!.map(([a, b]) => add!.text.slice(a, b)), ["max(", ", 1)"]);
  const [other] = diffLines("import os", "x = 41");
  assert.equal(other!.words, undefined, "lines with nothing in common are marked as a whole");
});

test("texts that differ in everything are compared by what each holds once, in bounded time", () => {
  const roll = dice(3);
  const lines = (tag: string) =>
    Array.from({ length: 20_000 }, (_, i) => (i % 10 === 0 ? `anchor ${i}` : `${tag} ${Math.floor(roll() * 1e9)}`));
  const [before, after] = [lines("a").join("\n"), lines("b").join("\n")];
  let same = 0;
  const took = busy(() => (same = diffLines(before, after).filter((l) => l.op === "same").length));
  assert(took < 2000, `${took} ms for 20,000 lines`);
  assert.equal(same, 2000);
  assert.deepEqual(sides(before, after), [before, after]);
});

test("one line of a megabyte is no reason to hang", () => {
  assert(busy(() => diffLines("x ".repeat(500_000), "y ".repeat(500_000))) < 1000);
});
