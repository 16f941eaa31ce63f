import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "../documents";
import { fromArchive } from "../documents/source";
import { count, decimal, money, percent, seconds } from "../kit/format";
import { Heights } from "../kit/heights";
import { formatRoute, parseRoute } from "../kit/router";
import { compareValues, sorted } from "../kit/table-layout";
import { asWhole } from "../kit/frame";
import { scale, writer } from "../kit/ticks";
import { arrangeRuns, newestFirst, passes } from "../pages/runs-order";
import { busy } from "./busy";

test("a route that is written is read back", () => {
  for (const path of [[], ["turns", "12"], ["code", "file", "a b", "ü?#%", "..", "%2F", "&=+"]]) {
    for (const run of ["abc123", ""]) {
      const query = { tab: "a=b&c", q: "ä #?" };
      const route = parseRoute(formatRoute(run, path.join("/"), query), run === "");
      assert.deepEqual([route.run, route.path, { ...route.query }], [run, path, query]);
    }
  }
  assert.equal(parseRoute("#/", false).run, null);
  assert.deepEqual(parseRoute("#/run/x/turns/%E0%A4%A", false).path, ["turns", "%E0%A4%A"], "a link that is no link is still shown");
  assert.equal(parseRoute("#/a?__proto__=x", true).query["toString"], undefined, "a query is no object of the page's");
  assert.equal(formatRoute("x", "", { a: "", b: undefined }), "#/run/x");
});

test("rows lie where their heights put them", () => {
  const heights = new Heights(1000, (i) => 20 + (i % 3));
  const plain = Array.from({ length: 1000 }, (_, i) => 20 + (i % 3));
  for (const [i, h] of [[0, 5], [999, 70], [512, 300], [511, 1]] as const) {
    heights.set(i, h);
    plain[i] = h;
  }
  let y = 0;
  for (let i = 0; i < 1000; i++) {
    assert(Math.abs(heights.offset(i) - y) < 1e-6);
    assert.equal(heights.at(y), i);
    assert.equal(heights.at(y + plain[i]! - 0.5), i);
    y += plain[i]!;
  }
  assert(Math.abs(heights.total - y) < 1e-6);
  assert.deepEqual([heights.at(-5), heights.at(y + 100), new Heights(0, () => 1).at(3)], [0, 999, 0]);
});

test("a hundred thousand rows are laid out at once", () => {
  const took = busy(() => {
    const heights = new Heights(100_000, () => 24);
    for (let i = 0; i < 100_000; i += 7) heights.set(i, 30);
    for (let y = 0; y < heights.total; y += 1000) heights.at(y);
  });
  assert(took < 500, `${took} ms`);
});

test("what is unknown comes last in both directions", () => {
  for (const down of [false, true]) {
    assert.deepEqual(sorted([null, 3, undefined, 10, NaN, 2], (v) => v, down).slice(0, 3), down ? [10, 3, 2] : [2, 3, 10]);
  }
  assert(compareValues("turn 9", "turn 10", false) < 0, "numbers in texts are numbers");
  assert.deepEqual(
    sorted(
      [
        { n: 1, k: "b" },
        { n: 1, k: "a" },
      ],
      (r) => r.n, true,
    ).map((r) => r.k),
    ["b", "a"], "equal rows keep their order",
  );
});

test("axes are marked at round numbers around all values", () => {
  const s = scale([0.03, 0.97], { percent: true });
  assert.deepEqual(s.ticks.map(s.write), ["0%", "20%", "40%", "60%", "80%", "100%"]);
  assert.deepEqual(scale([], {}).ticks.length > 1, true);
  for (const values of [[5], [0], [-3, 7], [1e-9, 3e-9], [1e12, 3e12], [NaN, Infinity, 2], [0.1, 0.30000000000000004]]) {
    const of = scale(values, { want: 5 });
    const finite = values.filter(Number.isFinite);
    assert(
      of.min <= Math.min(...finite) + 1e-12 && of.max >= Math.max(...finite) * (1 - 1e-12) && of.ticks.length >= 2 && of.ticks.length <= 12,
      JSON.stringify([values, of.ticks]),
    );
    assert.equal(new Set(of.ticks.map(of.write)).size, of.ticks.length, "no two marks read the same: " + of.ticks.map(of.write).join(" "));
  }
  assert.equal(scale([3, 9], { from0: true }).min, 0);
  const whole = scale([0, 2], asWhole({ label: "findings" }, [0, 2]));
  assert.deepEqual(whole.ticks.map(whole.write), ["0", "1", "2"], "between two counts there is nothing");
  assert.equal(asWhole({ label: "reward" }, [0, 0.5]).whole, undefined);
  assert.deepEqual(
    [writer(2.5, false)(7.5), writer(0.025, false)(0.075), writer(0.025, true)(0.075), writer(0.2, false)(0.6)],
    ["7.5", "0.075", "7.5%", "0.6"],
  );
});

test("values are written for people, and unknown is never zero", () => {
  assert.deepEqual(
    [money(null), money(undefined), money(NaN), money(0), money(0.00004), money(0.0042), money(0.5), money(12.345)],
    ["?", "?", "?", "$0.00", "<$0.0001", "$0.0042", "$0.500", "$12.35"],
  );
  assert.deepEqual(
    [seconds(null), seconds(0.0421), seconds(3.14159), seconds(59.96), seconds(65), seconds(7260), seconds(3599.7)],
    ["?", "42 ms", "3.14 s", "1 min 00 s", "1 min 05 s", "2 h 01 min", "1 h 00 min"],
  );
  assert.deepEqual(
    [count(null), count(1234567), percent(null), percent(0.1234, 1), decimal(0.5), decimal(1 / 3)],
    ["?", "1,234,567", "?", "12.3%", "0.5", "0.333"],
  );
});

test("an archive answers what it holds, packed or plain, and says so when it does not", async () => {
  const lines = ['"turn/1"', '{"seq":1}', '"__proto__"', '{"x":2}', ""].join("\n");
  const packed = await new Response(new Blob([lines]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
  const source = fromArchive(
    JSON.parse('{"":{"id":"r"}}') as { [r: string]: unknown }, btoa(String.fromCharCode(...new Uint8Array(packed))),
  );
  assert.deepEqual(await source.get("", ""), { id: "r" });
  assert.deepEqual(await source.get("", "turn/1"), { seq: 1 });
  assert.deepEqual(await source.get("", "__proto__"), { x: 2 });
  for (const missing of ["turn/2", "constructor", "toString"]) {
    await assert.rejects(source.get("", missing), (thrown) => (thrown as { status: number }).status === 404);
  }
});

test("runs stand below the run that holds them", () => {
  const row = (id: string, path: string, parent?: string): Row => ({
    id, kind: "review", name: path.split("/").pop()!, path, status: "completed", cost_usd: null, models: ["m/1"], headline: "h",
    ...(parent ? { parent } : {}),
  });
  const rows = [
    row("c", "/r/b/x/01", "b"), row("b", "/r/b"), row("d", "/r/d"), row("e", "/r/b/x/01/in", "c"), row("u", "/u", "v"), row("v", "/v", "u"),
    row("s", "/s", "s"),
  ];
  const told = (open: Set<string> | "all" | "flat") => arrangeRuns(rows, open).map((p) => `${p.depth} ${p.name} ${p.inside}`);
  assert.deepEqual(told(new Set()), ["0 b 2", "0 d 0", "0 s 0", "0 u 1"]);
  assert.deepEqual(told(new Set(["b"])), ["0 b 2", "1 x/01 1", "0 d 0", "0 s 0", "0 u 1"]);
  const began = (r: Row, at: string): Row => ({ ...r, started_at: at });
  const dated = [
    began(row("old", "/o"), "2026-01-02T10:00:00Z"), row("none", "/n"), began(row("in", "/o/in", "old"), "2026-03-01T00:00:00Z"),
    began(row("new", "/w"), "2026-01-02T12:00:00+01:00"),
  ];
  assert.deepEqual(newestFirst(dated).map((r) => r.id), ["new", "old", "none", "in"]);
  assert.equal(arrangeRuns(rows, "all").length, rows.length);
  assert.equal(arrangeRuns(rows, "flat")[0]!.row.id, "c");
  assert.deepEqual(
    [
      passes(rows[0]!, "X/01 M/1", "", ""), passes(rows[0]!, "zz", "", ""), passes(rows[0]!, "", "eval", ""),
      passes(rows[0]!, "", "review", "completed"),
    ],
    [true, false, false, true],
  );
});
