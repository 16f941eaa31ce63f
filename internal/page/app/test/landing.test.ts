import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding, Run, Triage } from "../documents";
import { withModifier } from "../kit/keys";
import { above } from "../kit/router";
import { severitySigns } from "../kit/small";
import { severities } from "../kit/tables";
import { firstShade, stepOf } from "../pages/code/scale";
import { buildTree } from "../pages/code/tree";
import { aside, decided } from "../pages/findings/aside";
import { noneTitle, usualOrder } from "../pages/findings";
import { answered, countsOf, repeatsCounts, titleOf } from "../pages/overview/head";

const run = (more: Partial<Run>): Run => ({ name: "dir-20261123", ...more }) as Run;

test("a review is called by its repository and commit", () => {
  const review = { repository: "shop", commit: "0123456789abcdef0123" };
  assert.deepEqual(titleOf(run({ review })), { name: "shop", commit: "0123456789ab" });
  assert.deepEqual(titleOf(run({ review: { repository: "" } })), { name: "dir-20261123", commit: "" });
  assert.deepEqual(titleOf(run({})), { name: "dir-20261123", commit: "" });
});

test("severities are counted from the worst; words that say more than the counts stay", () => {
  const severities = { low: 3, critical: 1, high: 0, "made up": 9 };
  assert.deepEqual(countsOf(run({ review: { repository: "x", severities } })), [["critical", 1], ["low", 3]]);
  assert.deepEqual(countsOf(run({})), []);
  assert(repeatsCounts("1 finding: 1 high") && repeatsCounts("1,234 findings"));
  for (const more of ["failed; 1 finding: 1 high, as far as it came", "1 new finding: 1 high; 3 known from the baseline", "nothing new; 2"])
    assert(!repeatsCounts(more), more);
});

test("a review at work says how far it has come, where it knows", () => {
  assert.equal(answered(25, 100), "At least 25% of 100 lines answered so far, ");
  assert.equal(answered(300, 100), "All 100 lines answered so far, ", "a prompt may hold what is no line of the codebase");
  assert.equal(answered(1, 0), "At least 1 line answered so far, ");
  assert.equal(answered(0, 100), "");
});

test("Esc leads one step up, to what the run opens with and then to the list", () => {
  const ways: [string[], string | null][] = [
    [[], null], [["findings"], null], [["findings", "ab12"], "findings"], [["code"], ""], [["code", "file", "a", "b.go"], "code"],
    [["turns", "3"], "turns"], [["turns", "3", "dispatch", "9"], "turns/3"], [["eval", "rollout", "3"], "eval"],
    [["eval", "rollout", "3", "turns"], "eval/rollout/3"], [["eval", "rollout", "3", "turns", "2"], "eval/rollout/3/turns"],
    [["codeeval", "task", "HumanEval", "3"], "codeeval"],
  ];
  for (const [path, to] of ways) assert.equal(above(path, "findings"), to, path.join("/"));
});

test("[ and ] work on keyboards that need AltGr for them", () => {
  const key = (k: string, down: string[] = [], graph = false) =>
    withModifier({
      key: k, ctrlKey: down.includes("ctrl"), altKey: down.includes("alt"), metaKey: down.includes("meta"),
      getModifierState: (s) => graph && s === "AltGraph",
    });
  assert.equal(key("]"), false);
  assert.equal(key("]", ["ctrl", "alt"], true), false);
  assert.equal(key("]", ["alt"]), false, "a Mac");
  assert.equal(key("]", ["meta"]), true, "the browser's");
  assert.equal(key("]", ["ctrl"]), true);
  assert.equal(key("j", ["alt"]), true);
  assert.equal(key("j", ["ctrl"]), true);
});

test("the map shows findings where all lines were reviewed, and coverage where some were not", () => {
  const row = (path: string, judged: number, findings: number) => ({
    path, language: "go", lines: 10, dispatched: 10, answered: 10, judged, findings, worst: findings > 0 ? "critical" : "",
  });
  assert.equal(firstShade(buildTree([row("a", 10, 1), row("b", 10, 0)])), "findings");
  assert.equal(firstShade(buildTree([row("a", 10, 1), row("b", 9, 0)])), "coverage");
  const nearly = { ...row("b", 990, 0), lines: 1000, dispatched: 1000, answered: 1000 };
  assert.equal(firstShade(buildTree([row("a", 10, 1), nearly])), "findings", "a README that no rule judges");
  assert.equal(firstShade(buildTree([row("a", 10, 0)])), "coverage", "there is nothing to show of findings");
  assert.equal(stepOf(buildTree([row("a", 10, 1)]), "findings"), "s5");
});

test("every severity has a sign of its own", () => {
  assert.deepEqual(Object.keys(severitySigns), [...severities]);
  assert.equal(new Set(Object.values(severitySigns)).size, severities.length);
});

test("what left a finding out is told apart", () => {
  const f = (by: string, more: Partial<Finding> = {}) => ({ by, ...more }) as Finding;
  assert.equal(aside(f("file"), false), "Suppressed by the suppress file");
  assert.equal(aside(f("comment"), false), "Suppressed by a comment");
  assert.equal(aside(f("triage"), false), "Left out by a decision");
  assert.equal(aside(f("p/root"), true), "Dismissed by p/root");
  const t: Triage = { state: "wont-fix", reason: "r", by: "ann", at: "2026-11-23T10:00:00Z", until: "2027-01-31" };
  assert.equal(decided(t), "will not be mended, by ann on 2026-11-23, until 2027-01-31");
  assert.equal(decided({ state: "toString", reason: "", by: "", at: "never" }), "toString");
});

test("a failed or baselined review does not say that there are no findings", () => {
  assert.equal(noneTitle({}, "completed"), "No findings.");
  assert.equal(noneTitle({ known: 3 }, "completed"), "Nothing new.");
  assert.equal(noneTitle({}, "failed"), "The review failed before anything was found.");
  const two = [{}, {}] as Finding[];
  assert.equal(usualOrder({ top: [{ id: "a", why: "" }], findings: two }), "first");
  assert.equal(usualOrder({ top: [], findings: two }), "severity");
});
