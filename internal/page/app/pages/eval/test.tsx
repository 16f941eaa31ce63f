/** Paired tests over tasks: what they say, in words and numbers. */
import type { Interval, TaskTest } from "../../documents";
import { count } from "../../kit";
import { interval } from "./facts";
import { signed } from "./parts";

/** What a paired test says, in words and numbers, and what got worse whatever it says. */
export function TestWords(p: { test: TaskTest; worse?: readonly string[] }) {
  const { test } = p;
  const tone = test.verdict === "better" ? "good" : test.verdict === "worse" ? "bad" : "";
  return (
    <div class={"verdict " + tone}>
      <p class="verdict-words">{test.words}</p>
      {p.worse === undefined ? null : (
        <p class="verdict-worse">
          {p.worse.length > 0 ? `What got worse: ${p.worse.join(", ")}.` : "Nothing that was measured got worse."}
        </p>
      )}
      <p class="muted">
        Difference {signed(test.diff, 3)}, 95% interval {ends(test.ci)} (t), {ends(test.ci_bootstrap)} (paired bootstrap); permutation
        p {pvalue(test.p)}, t test p {pvalue(test.p_t)}; {count(test.tasks)} tasks
        {test.mde > 0 ? ` detect differences from ${test.mde.toFixed(3)} on, 80 times in 100` : ""}.
      </p>
    </div>
  );
}

/** An interval's ends, or why there is none. */
export function ends(i: Interval): string {
  return i.lo === null || i.hi === null ? `none: ${i.why ?? "not known"}` : interval([i.lo, i.hi]);
}

/** A p-value with three figures. */
export function pvalue(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toPrecision(3);
}
