import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../documents";
import { group, whyFirst } from "../pages/findings/groups";

const finding = (id: string, severity: string, rule?: string): Finding => ({
  id, severity, title: id, category: "xss", cwe: "", file: "a.js", line: 1, end_line: 1, evidence: "", explanation: "", suggestion: "",
  confidence: 0.5, grounded: true, sources: [], ...(rule ? { rule } : {}),
});

const shown = (rows: ReturnType<typeof group>) => rows.map((r) => ("head" in r ? `${r.head} ${r.count}` : r.finding.id)).join(", ");

test("what to do first comes first, in its own order, and once", () => {
  const all = [finding("a", "critical"), finding("b", "high"), finding("c", "high")];
  const top = [{ id: "c", why: "w" }, { id: "gone", why: "w" }, { id: "a", why: "w" }];
  assert.equal(shown(group(all, "first", top)), "What to do first 2, c, a, high 1, b");
  assert.equal(shown(group(all.slice(1, 2), "first", top)), "high 1, b", "what the filter leaves out is not brought back");
});

test("findings are grouped by rule", () => {
  const all = [finding("a", "low", "js/x"), finding("b", "low"), finding("c", "high", "js/x")];
  assert.equal(shown(group(all, "rule")), "js/x 2, c, a, no rule 1, b");
});

test("a rule that found more says so", () => {
  assert.equal(whyFirst({ id: "a", why: "high", same: ["b", "c"] }), "high; the same rule found 2 more");
  assert.equal(whyFirst({ id: "a", why: "high" }), "high");
});
