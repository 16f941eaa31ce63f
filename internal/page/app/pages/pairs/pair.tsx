/** One pair: the prompt, the chosen and the rejected side, and what running them said. */
import { useMemo } from "preact/hooks";
import { ProblemBox, useDoc, type PairPage, type PairSet, type PairSide } from "../../documents";
import {
  Badge, Code, Copy, count, decimal, Diff, Fact, go, href, Loading, percent, plural, Raw, setQuery, Tabs, useKeys, useRoute,
} from "../../kit";
import { Beside } from "../codeeval/task";
import { VerdictBadge } from "../codeeval/verdict";
import { keeps, kept } from "./browser";

/** The page of pair n; j and k stay within the filters that led here. */
export function PairView(p: { n: string }) {
  const { doc, error } = useDoc<PairPage>("pairs/" + p.n);
  const set = useDoc<PairSet>("pairs").doc;
  const { query } = useRoute();
  const keep = kept(query);
  const beside = useNeighbours(doc, set);
  const to = (n: number) => "pairs/" + n;
  useKeys(
    {
      j: beside.next === undefined ? undefined : () => go(to(beside.next!), query),
      k: beside.previous === undefined ? undefined : () => go(to(beside.previous!), query),
    },
    "Pair: j next, k previous",
  );
  const head = (
    <header class="page-head">
      <a href={href("pairs", keep)}>All pairs</a>
      <h1>Pair {p.n}</h1>
      {doc ? <span>{doc.task}</span> : null}
      {doc ? <Beside name="pair" to={(n: number) => href(to(n), query)} previous={beside.previous} next={beside.next} /> : null}
    </header>
  );
  if (doc === undefined) return <div class="measures coding stack">{head}{error ? <ProblemBox problem={error} /> : <Loading />}</div>;
  return (
    <div class="measures coding stack">
      {head}
      <section aria-label="Prompt">
        {doc.prompt.map((m, i) => (
          <div key={i} class="prompt-text">
            {doc.prompt.length > 1 ? <p class="muted">{m.role}</p> : null}
            <Raw text={m.text} name="Prompt" />
          </div>
        ))}
      </section>
      {known(doc.chosen) || known(doc.rejected) ? null : <p class="muted">The file says of neither side which tests it passed.</p>}
      <div class="side">
        <SideHead name="Chosen" side={doc.chosen} form={doc.form} />
        <SideHead name="Rejected" side={doc.rejected} form={doc.form} />
      </div>
      <Texts doc={doc} />
      <dl class="facts">
        {doc.similarity === null ? null : <Fact name="Edit similarity">{decimal(doc.similarity, 2)}</Fact>}
        {doc.pass_rate === null ? null : <Fact name="Task's pass rate">{percent(doc.pass_rate)}</Fact>}
        <Fact name="In">
          {doc.file}, line {count(doc.line)}
        </Fact>
        {doc.facts.map((f) => <Fact key={f.name} name={f.name}>{f.value}</Fact>)}
      </dl>
    </div>
  );
}

/** The pairs before and after among those that the filters keep. */
function useNeighbours(doc: PairPage | undefined, set: PairSet | undefined): { previous: number | undefined; next: number | undefined } {
  const { query } = useRoute();
  const key = ["source", "verdict", "file", "q"].map((k) => query[k] ?? "").join("\n");
  return useMemo(() => {
    if (doc === undefined) return { previous: undefined, next: undefined };
    const keep = set === undefined ? undefined : keeps(set.rows, query);
    if (set === undefined || keep === undefined) return { previous: doc.previous, next: doc.next };
    let previous: number | undefined;
    let next: number | undefined;
    for (let i = doc.n - 1; i >= 0 && previous === undefined; i--) if (keep(i)) previous = i;
    for (let i = doc.n + 1; i < set.rows.file.length && next === undefined; i++) if (keep(i)) next = i;
    return { previous, next };
  }, [doc, set, key]);
}

/** Whether anything is known of a side but its text. */
function known(s: PairSide): boolean {
  return Boolean(s.verdict || s.error || s.score !== null || s.turns > 0 || s.public || s.mutated || s.facts.length > 0);
}

function SideHead(p: { name: string; side: PairSide; form: string }) {
  const s = p.side;
  return (
    <section class="side-turn" aria-label={p.name}>
      <p class="side-name">
        <strong>{p.name}</strong> {p.form === "code" && s.verdict ? <VerdictBadge verdict={s.verdict} /> : null}
        {s.error ? <span class="muted"> {s.error}</span> : null}
        {s.score === null ? null : <span> {p.form === "trace" ? "reward" : "score"} {decimal(s.score, 3)}</span>}
        {s.turns > 0 ? <span class="muted">, {plural(s.turns, "turn")}</span> : null}
      </p>
      {s.public ? <Outcomes name="Dataset's tests" letters={s.public} /> : null}
      {s.mutated ? <Outcomes name="Mutated tests" letters={s.mutated} /> : null}
      <p class="muted side-facts">{s.facts.map((f) => `${f.name} ${f.value}`).join(" · ")}</p>
    </section>
  );
}

/** Each test that was run: the proof of the label. */
function Outcomes(p: { name: string; letters: string }) {
  const passed = p.letters.split("1").length - 1;
  return (
    <p class="outcomes">
      <span class="muted">{p.name}</span>{" "}
      <span class="squares" role="img" aria-label={`${passed} of ${p.letters.length} passed`}>
        {[...p.letters].slice(0, 60).map((c, i) => (
          <span key={i} class={"square tone-" + (c === "1" ? "good" : c === "0" ? "bad" : "none")}>
            {c === "1" ? "✓" : c === "0" ? "✗" : c}
          </span>
        ))}
      </span>{" "}
      {count(passed)} of {count(p.letters.length)}
    </p>
  );
}

function Texts(p: { doc: PairPage }) {
  const { doc } = p;
  const trace = doc.form === "trace";
  const tabs = [
    { key: "diff", title: trace ? "Cells, side by side" : "Programs, side by side" },
    ...(trace
      ? [{ key: "rollouts", title: "Rollouts, turn by turn" }]
      : [
          { key: "chosen", title: "Chosen" },
          { key: "rejected", title: "Rejected" },
        ]),
  ];
  const asked = useRoute().query["show"] ?? "";
  const shown = tabs.some((t) => t.key === asked) ? asked : "diff";
  return (
    <section aria-label="The two sides">
      <div class="tabs-and-tools">
        <Tabs name="The two sides" tabs={tabs} selected={shown} onSelect={(key) => setQuery({ show: key === "diff" ? "" : key })} />
        <Copy text={doc.chosen.text} label="Copy chosen" />
        <Copy text={doc.rejected.text} label="Copy rejected" />
      </div>
      {shown === "rollouts" ? (
        <Rollouts doc={doc} />
      ) : shown === "chosen" || shown === "rejected" ? (
        <Code text={doc[shown].text} language="python" name={shown} />
      ) : (
        <Diff
          before={doc.chosen.text} after={doc.rejected.text} language="python" names={["Chosen", "Rejected"]} folded={false}
          name="Chosen and rejected"
        />
      )}
    </section>
  );
}

/** Both rollouts, turn beside turn. */
function Rollouts(p: { doc: PairPage }) {
  const { chosen, rejected } = p.doc;
  const turns = Math.max(chosen.exchanges.length, rejected.exchanges.length);
  return (
    <ol class="exchanges">
      {Array.from({ length: turns }, (_, i) => (
        <li key={i} class="side">
          <Turn side={chosen} i={i} name="Chosen" />
          <Turn side={rejected} i={i} name="Rejected" />
        </li>
      ))}
    </ol>
  );
}

function Turn(p: { side: PairSide; i: number; name: string }) {
  const x = p.side.exchanges[p.i];
  if (x === undefined) return <div class="side-turn none"><Badge>no such turn</Badge></div>;
  return (
    <div class="side-turn">
      <p class="muted">
        {p.name}, turn {p.i + 1}: saw
      </p>
      <Raw text={x.view} name="What the policy saw" />
      <div class="side-cell">
        <Code text={x.cell} language="python" name={`${p.name}, cell ${p.i + 1}`} />
      </div>
    </div>
  );
}
