/** The controls: what had to come out as it must before any number was given. They stand before the number. */
import type { Controls } from "../../documents";
import { Badge, count, plural } from "../../kit";

/** References that must pass, programs that must not. */
export function ControlsLine(p: { controls: Controls | null; none: string }) {
  const c = p.controls;
  if (c === null) {
    return (
      <p class="controls">
        <span class="controls-name">Controls</span> <span class="muted">{p.none}</span>
      </p>
    );
  }
  const known = c.expected_failures.length;
  const right = c.unexpected.length === 0 && c.null_passed === 0;
  return (
    <div class={"controls" + (right ? "" : " controls-bad")}>
      <span class="controls-name">Controls</span>
      <Control
        good={c.canonical_passed + known >= c.canonical_total} what="references pass" n={c.canonical_passed} of={c.canonical_total}
      />
      <Control good={c.null_passed === 0} what="null programs pass" n={c.null_passed} of={c.null_total} />
      {known > 0 ? (
        <details>
          <summary>{plural(known, "reference")} known to fail</summary>
          <p class="wrap">{c.expected_failures.join(", ")}</p>
        </details>
      ) : null}
      {c.unexpected.length > 0 ? (
        <details open>
          <summary>{plural(c.unexpected.length, "control")} did not come out as it must</summary>
          <ul>{c.unexpected.map((u) => <li key={u}>{u}</li>)}</ul>
        </details>
      ) : null}
      {right ? <span class="muted">So the numbers below can be trusted.</span> : null}
    </div>
  );
}

function Control(p: { good: boolean; what: string; n: number; of: number }) {
  return (
    <span class="control">
      <Badge tone={p.good ? "good" : "bad"}>
        {p.good ? "✓" : "✗"}
        <span class="off-screen">{p.good ? " as it must" : " not as it must"}</span>
      </Badge>{" "}
      {count(p.n)} of {count(p.of)} {p.what}
    </span>
  );
}
