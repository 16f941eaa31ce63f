/** A task that changed between two conditions: the two programs side by side. */
import { ProblemBox, useDoc, type Flip, type FlipSample, type FlipSide } from "../../documents";
import { Badge, Diff, Empty, go, href, Loading, plural, Raw, setQuery, useKeys, useRoute } from "../../kit";
import { Beside } from "../codeeval/task";

/** The page of one task. */
export function FlipPage(p: { id: string }) {
  const { doc, error } = useDoc<Flip>("compare/task/" + p.id);
  const { query } = useRoute();
  const keep = { other: query["other"] };
  useKeys(
    {
      j: doc?.next === undefined ? undefined : () => go("compare/task/" + doc.next, keep),
      k: doc?.previous === undefined ? undefined : () => go("compare/task/" + doc.previous, keep),
    },
    "Task that changed: j next, k previous",
  );
  const head = (
    <header class="page-head">
      <a href={href("compare", keep)}>All tasks that changed</a>
      <h1>{p.id}</h1>
      {doc ? <Beside name="task" to={(id) => href("compare/task/" + id, keep)} previous={doc.previous} next={doc.next} /> : null}
    </header>
  );
  if (doc === undefined) return <div class="measures coding stack">{head}{error ? <ProblemBox problem={error} /> : <Loading />}</div>;
  const names = doc.sides.map((s) => s.condition);
  const change = doc.changes.find((c) => c.other === query["other"]) ?? doc.changes[0];
  const other = names.includes(query["other"] ?? "") ? query["other"]! : (change?.other ?? names[1] ?? names[0] ?? "");
  const base = names.includes(query["base"] ?? "")
    ? query["base"]!
    : ((change?.other === other ? change.base : names.find((n) => n !== other)) ?? "");
  const left = doc.sides.find((s) => s.condition === base);
  const right = doc.sides.find((s) => s.condition === other);
  return (
    <div class="measures coding stack">
      {head}
      <ul class="changes" aria-label="Changes">
        {doc.changes.map((c) => (
          <li key={c.base + "\n" + c.other + "\n" + c.verdicts}>
            <Badge tone={c.improved ? "good" : "bad"}>{c.improved ? "improved" : "regressed"}</Badge> {c.other} against {c.base}
            <span class="muted"> ({c.verdicts === "rescored" ? "tests run again" : "as recorded"})</span>
          </li>
        ))}
      </ul>
      <div class="section-head">
        <Choose name="Left" value={base} names={names} onChange={(v) => setQuery({ base: v })} />
        <Choose name="Right" value={other} names={names} onChange={(v) => setQuery({ other: v })} />
      </div>
      {left === undefined || right === undefined ? <Empty title="There is no second side." /> : <Sides left={left} right={right} />}
    </div>
  );
}

function Choose(p: { name: string; value: string; names: readonly string[]; onChange: (v: string) => void }) {
  return (
    <label class="inline">
      {p.name}{" "}
      <select value={p.value} onChange={(e) => p.onChange(e.currentTarget.value)}>
        {p.names.map((n) => <option key={n} value={n}>{n}</option>)}
      </select>
    </label>
  );
}

function Sides(p: { left: FlipSide; right: FlipSide }) {
  const { query } = useRoute();
  const pick = (side: FlipSide, name: string) => side.samples.find((s) => String(s.sample) === query[name]) ?? side.samples[0];
  const left = pick(p.left, "left");
  const right = pick(p.right, "right");
  return (
    <>
      <div class="side">
        <SideHead side={p.left} sample={left} name="left" />
        <SideHead side={p.right} sample={right} name="right" />
      </div>
      {left !== undefined && right !== undefined && (left.kind !== "absent" || right.kind !== "absent") ? (
        <Diff
          before={left.text} after={right.text} language="python" names={[p.left.condition, p.right.condition]} folded={false}
          name="The two programs"
        />
      ) : (
        <Empty title="The result files hold no programs." />
      )}
    </>
  );
}

function SideHead(p: { side: FlipSide; sample: FlipSample | undefined; name: string }) {
  const s = p.sample;
  return (
    <div class="side-turn">
      <p class="side-name">
        <strong>{p.side.condition}</strong> {s === undefined ? null : <Outcome sample={s} />}
        {p.side.samples.length > 1 ? (
          <label class="inline">
            {" "}sample{" "}
            <select value={s?.sample} onChange={(e) => setQuery({ [p.name]: e.currentTarget.value })}>
              {p.side.samples.map((one) => <option key={one.sample} value={one.sample}>{one.sample}</option>)}
            </select>{" "}
            of {plural(p.side.total, "sample")}
          </label>
        ) : null}
      </p>
      {s?.result && s.result !== "passed" && s.result !== "failed" ? <Raw text={s.result} name="Verdict" /> : null}
      {s?.kind === "absent" ? (
        <p class="muted">The result file does not hold the program.</p>
      ) : s !== undefined && s.text.trim() === "" ? (
        <p class="muted">Nothing was generated.</p>
      ) : null}
      {s?.cut ? <p class="muted">The text is incomplete.</p> : null}
      {s !== undefined && s.recorded !== null && s.recorded !== s.passed ? (
        <p class="muted">Its file says that it {s.recorded ? "passed" : "did not pass"}.</p>
      ) : null}
    </div>
  );
}

function Outcome(p: { sample: FlipSample }) {
  const passed = p.sample.passed;
  return (
    <Badge tone={passed === null ? "warn" : passed ? "good" : "bad"}>{passed === null ? "no verdict" : passed ? "passed" : "failed"}</Badge>
  );
}
