/** Two rollouts of one task side by side, turn by turn: what each wrote and what it saw. */
import { useMemo } from "preact/hooks";
import { ProblemBox, type EvalDoc, type EvalRollout, type Run, type Trace, type Turn } from "../../documents";
import { Badge, Code, count, href, Loading, plural, Raw, seconds, setQuery, useRoute } from "../../kit";
import { useOther } from "./other";
import { label, type Pair } from "./pair";

/** The rollouts of one task; which of them is in the query. */
export function SideBySide(p: { pair: Pair; example: number; task: string; at: string }) {
  const { query } = useRoute();
  const ofB = rollouts(p.pair.rowsB, p.example);
  const ofA = rollouts(p.pair.rowsA, p.example);
  const pick = (all: number[], wanted: string | undefined) =>
    all.includes(Number(wanted)) && wanted !== undefined ? Number(wanted) : all[0];
  const nB = pick(ofB, query["rb"]);
  const nA = pick(ofA, query["ra"]);
  const b = useSide(p.pair.b, nB);
  const a = useSide(p.pair.a, nA);
  const turns = Math.max(b.seqs.length, a.seqs.length);
  return (
    <section aria-label="Side by side">
      <h2 class="wrap">{p.task}, turn by turn</h2>
      <div class="side">
        <SideHead run={p.pair.b} doc={p.pair.rowsB} all={ofB} n={nB} name="rb" side={b} />
        <SideHead run={p.pair.a} doc={p.pair.rowsA} all={ofA} n={nA} name="ra" side={a} />
        {Array.from({ length: Math.min(turns, 100) }, (_, i) => [
          <SideTurn key={"b" + i} run={p.pair.b} base={b.base} n={nB} seq={b.seqs[i]} turn={i + 1} />,
          <SideTurn key={"a" + i} run={p.pair.a} base={a.base} n={nA} seq={a.seqs[i]} turn={i + 1} />,
        ])}
      </div>
      {turns > 100 ? <p class="muted">The first 100 of {count(turns)} turns; each rollout's own page has all.</p> : null}
    </section>
  );
}

interface Side {
  base: string | null;
  seqs: number[];
  problem?: string;
  loading: boolean;
}

/** The root's turns of a rollout: the seqs of their events. */
function useSide(run: Run, n: number | undefined): Side {
  const row = useOther<EvalRollout>(n === undefined ? null : run.id, `eval/rollout/${n ?? 0}`);
  const base = row.doc && row.doc.trace !== "" ? row.doc.trace : null;
  const trace = useOther<Trace>(base === null ? null : run.id, `${base ?? ""}trace`);
  const seqs = useMemo(() => (trace.doc ? rootTurns(trace.doc) : []), [trace.doc]);
  const error = row.error ?? trace.error;
  return { base, seqs, loading: row.loading || (base !== null && trace.loading), ...(error ? { problem: error.message } : {}) };
}

/** The events of the root's own turns, children's left out. */
function rootTurns(t: Trace): number[] {
  const own = t.nodes.indexOf("");
  const seqs: number[] = [];
  for (let i = 0; i < t.kind.length; i++) {
    if (t.kind[i] === "r" && (own < 0 || t.node[i] === own)) seqs.push(t.seq0 + i);
  }
  return seqs;
}

function rollouts(doc: EvalDoc, example: number): number[] {
  const all: number[] = [];
  doc.rows.example.forEach((e, n) => e === example && all.push(n));
  return all;
}

function SideHead(p: { run: Run; doc: EvalDoc; all: number[]; n: number | undefined; name: string; side: Side }) {
  const reward = p.n === undefined ? null : (p.doc.rows.reward[p.n] ?? null);
  return (
    <header class="side-head">
      <strong>{label(p.run)}</strong>{" "}
      {p.all.length > 1 ? (
        <label class="inline">
          Rollout{" "}
          <select value={String(p.n)} onChange={(e) => setQuery({ [p.name]: e.currentTarget.value })}>
            {p.all.map((n) => (
              <option key={n} value={String(n)}>{(p.doc.rows.rollout[n] ?? 0) + 1}</option>
            ))}
          </select>
        </label>
      ) : null}{" "}
      <span>reward {reward === null ? "none: error" : reward.toFixed(3)}</span>, <span>{plural(p.side.seqs.length, "turn")}</span>{" "}
      {p.n !== undefined ? <a href={href(`/run/${p.run.id}/eval/rollout/${p.n}`)}>open</a> : null}
      {p.side.problem ? (
        <ProblemBox problem={{ status: 0, message: p.side.problem }} />
      ) : p.side.loading ? (
        <Loading />
      ) : p.side.base === null ? (
        <p class="muted">It has no trace.</p>
      ) : null}
    </header>
  );
}

function SideTurn(p: { run: Run; base: string | null; n: number | undefined; seq: number | undefined; turn: number }) {
  const { doc, error } = useOther<Turn>(p.base === null || p.seq === undefined ? null : p.run.id, `${p.base ?? ""}turn/${p.seq ?? 0}`);
  if (p.seq === undefined) return <article class="side-turn none" aria-label={`Turn ${p.turn}: none`} />;
  if (doc === undefined) return <article class="side-turn">{error ? <ProblemBox problem={error} /> : <Loading />}</article>;
  const failed = doc.cells.filter((c) => c.error_type).length;
  return (
    <article class="side-turn">
      <h3>
        <a href={href(`/run/${p.run.id}/eval/rollout/${p.n ?? 0}/turns/e${p.seq}`)}>Turn {p.turn}</a>{" "}
        <span class="muted">
          {plural(doc.dispatches.length, "dispatch", "dispatches")}, {count(doc.usage.output_tokens)} tokens, {seconds(doc.seconds)}
        </span>{" "}
        {failed > 0 ? <Badge tone="bad">{plural(failed, "failed cell")}</Badge> : null}
      </h3>
      {doc.error ? <ProblemBox problem={{ status: 0, message: doc.error }} /> : null}
      {doc.cells.length === 0 && doc.text !== "" ? <Raw text={doc.text} /> : null}
      {doc.cells.map((c) => (
        <div key={c.seq} class="side-cell">
          <Code text={c.code} language="python" name={`Turn ${p.turn}, cell ${c.index}`} />
          {c.error ? <pre class="cell-error">{c.error}</pre> : null}
          {c.output !== "" ? <Raw text={c.output} /> : <p class="muted">no output</p>}
        </div>
      ))}
    </article>
  );
}
