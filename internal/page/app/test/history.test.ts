/** The lines of a history. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { historySeries } from "../pages/overview/history";

const review = (number: number, places: number, more: object = {}) => ({
  run: "", id: "", link: "", of: "", codebase: "", commit: "", at: "", status: "completed" as const, root: "", worker: "", lines: 1,
  coverage: 1, findings: places, severities: {}, places, suppressed: 0, new: null, fixed: null, cost_usd: null, number, ...more,
});

test("what a review did not read is no step down", () => {
  const [places, fresh, fixed, part] = historySeries([
    review(1, 5), review(2, 0, { status: "failed" }), review(3, 1, { known: 4 }), review(4, 6, { new: 2, fixed: 1 }),
  ]);
  assert.deepEqual(places?.points, [[1, 5], [2, null], [3, null], [4, 6]]);
  assert.deepEqual(fresh?.points.map(([, n]) => n), [null, null, null, 2]);
  assert.deepEqual(fixed?.points.map(([, n]) => n), [null, null, null, 1]);
  assert.deepEqual(part?.points, [[1, null], [2, 0], [3, 1], [4, null]]);
  assert.equal(historySeries([review(1, 5), review(2, 4)]).length, 3);
});
