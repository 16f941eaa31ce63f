/** One turn of the root: what was new to it, what it replied, what its cells did, which dispatches they made. */
import { useEffect, useRef } from "preact/hooks";
import { ProblemBox, useDoc, type Run, type Trace, type Turn } from "../../documents";
import { Badge, count, Fact, href, Loading, money, percent, Raw, seconds, Visible, type Query } from "../../kit";
import { CellView } from "./cell";
import { Clip } from "./clip";
import { Dispatches } from "./dispatches";
import { Part } from "./part";
import { PromptView } from "./prompt";
import { ReplyView } from "./reply";
import { StepLink } from "./step";
import { addressOf, type Row, type Timeline } from "./timeline";

/** The turn of a row. `cell` is the event of the cell that is brought into sight. */
export function TurnView(p: {
  run: Run; base: string; at: string; turn: Row; cell: number | undefined; trace: Trace; timeline: Timeline; query: Query;
}) {
  const { turn, trace } = p;
  const { doc, error } = useDoc<Turn>(`${p.base}turn/${turn.seq}`);
  // The turn before stays, faint, until the next one is here: j and k do not make the page flicker.
  const kept = useRef<{ doc: Turn; turn: Row } | null>(null);
  if (doc) kept.current = { doc, turn };
  else if (error) kept.current = null;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const cell = p.cell === undefined ? null : box.current?.querySelector(`[data-event="${p.cell}"]`);
    if (cell) cell.scrollIntoView({ block: "start" });
    else box.current?.parentElement?.scrollTo({ top: 0 });
  }, [turn.seq, p.cell, doc === undefined]);
  const loop = trace.nodes[turn.node] ?? "";
  const near = neighbours(p.timeline, turn);
  return (
    <article class="turn" ref={box} aria-labelledby="turn-title" aria-busy={!doc && !error}>
      <header class="turn-head">
        <h2 id="turn-title">
          Turn {turn.number} {loop ? <span class="muted">of child loop <code><Visible text={loop} /></code></span> : null}
          {turn.synthesis ? <Badge title="The reserved last turn, on a shortened transcript">synthesis</Badge> : null}
        </h2>
        <nav class="steps" aria-label="Neighbouring turns">
          <a class="back" href={href(p.at, p.query)}>All turns</a>
          <StepLink to={near.previous} at={p.at} query={p.query} title="Previous turn (k)">‹</StepLink>
          <StepLink to={near.next} at={p.at} query={p.query} title="Next turn (j)">›</StepLink>
        </nav>
      </header>
      {error && !doc ? (
        <>
          <ProblemBox problem={error} />
          <Dispatches at={p.at} turn={turn} trace={trace} timeline={p.timeline} query={p.query} doc={undefined} />
        </>
      ) : null}
      {kept.current ? (
        <div class={"turn-body" + (doc ? "" : " turn-stale")}>
          <TurnBody {...p} {...kept.current} />
        </div>
      ) : error ? null : (
        <Loading />
      )}
    </article>
  );
}

function neighbours(timeline: Timeline, row: Row): { previous: string | undefined; next: string | undefined } {
  const turns = timeline.turns.map((i) => timeline.rows[i]);
  const at = turns.indexOf(row);
  const name = (near: Row | undefined) => (near === undefined ? undefined : addressOf(timeline, near));
  return { previous: name(turns[at - 1]), next: name(turns[at + 1]) };
}

/** Finishes that say nothing: the model came to its end. */
const usual: ReadonlySet<string> = new Set(["stop", "end_turn", "tool_calls", "tool_use"]);

function TurnBody(p: { run: Run; base: string; at: string; turn: Row; trace: Trace; timeline: Timeline; query: Query; doc: Turn }) {
  const { doc, turn } = p;
  return (
    <>
      <dl class="facts facts-dense">
        <Fact name="Model">{doc.model || "?"}</Fact>
        <Fact name="Prompt">
          {count(doc.usage.input_tokens)} tokens
          {doc.usage.cached_tokens > 0 ? `, ${percent(doc.usage.cached_tokens / doc.usage.input_tokens)} cached` : ""}
        </Fact>
        <Fact name="Reply">{count(doc.usage.output_tokens)} tokens</Fact>
        <Fact name="Root's time">{seconds(doc.seconds)}</Fact>
        <Fact name="Root's cost">{money(doc.usage.cost_usd)}</Fact>
        <Fact name="Whole turn">{seconds((turn.to - turn.from) / 1000)}, {money(turn.cost)}</Fact>
        {doc.finish && !usual.has(doc.finish) ? <Fact name="Finish">{doc.finish}</Fact> : null}
      </dl>
      {doc.error ? <ProblemBox problem={{ status: 0, message: "The root model failed.", hint: doc.error }} /> : null}
      {doc.compact ? (
        <Part title="Folded" note={`Turns ${doc.compact.from} to ${doc.compact.to} were replaced by a digest in the transcript`}>
          <Clip text={doc.compact.digest} lines={10} what="digest">{(text) => <Raw text={text} name="Digest of the folded turns" />}</Clip>
        </Part>
      ) : null}
      <div class="pair">
        <PromptView base={p.base} seq={doc.seq} message={doc.message} first={doc.previous === undefined} query={p.query} />
        <ReplyView doc={doc} />
      </div>
      {doc.cells.map((cell) => (
        <CellView
          key={cell.seq} cell={cell} at={`${p.at}/${addressOf(p.timeline, turn)}`} query={p.query}
          repeated={((p.trace.flags[cell.seq - p.trace.seq0] ?? 0) & 32) !== 0} only={doc.cells.length === 1}
        />
      ))}
      {doc.gates.map((gate) => (
        <p key={gate.seq} class="turn-gate">
          <Badge tone="warn">answer held back</Badge> workers had seen {percent(gate.coverage, 1)} of the source lines;{" "}
          {percent(gate.wanted)} are wanted ({gate.count} of 3)
        </p>
      ))}
      <Dispatches {...p} />
    </>
  );
}
