/** Preference pairs: how they were chosen, what they give away, and each of them. */
import { ProblemBox, useDoc, type PairSet } from "../../documents";
import { Badge, count, Empty, Fact, Loading, Markdown, plural, seconds, setQuery, Tabs, useRoute } from "../../kit";
import { ControlsLine } from "../codeeval/controls";
import { Balance } from "./balance";
import { Browser } from "./browser";
import { Funnel } from "./funnel";
import { PairView } from "./pair";
import type { PageProps } from "../props";

/** The section "pairs". */
export function PairsPage(p: PageProps) {
  if (p.rest[0] !== undefined) return <PairView n={p.rest[0]} />;
  return <Overview />;
}

function Overview() {
  const { doc, error } = useDoc<PairSet>("pairs");
  const tab = useRoute().query["tab"] ?? "pairs";
  if (doc === undefined) return error ? <ProblemBox problem={error} /> : <Loading />;
  const tabs = [
    { key: "pairs", title: "Pairs" },
    ...(doc.funnel.length > 0 ? [{ key: "funnel", title: "Funnel" }] : []),
    { key: "balance", title: "Balance" },
    ...(doc.card ? [{ key: "card", title: "Card" }] : []),
    { key: "settings", title: "Settings" },
  ];
  const shown = tabs.some((t) => t.key === tab) ? tab : "pairs";
  return (
    <div class="measures coding stack">
      <Head doc={doc} />
      <Tabs name="Parts of the set" tabs={tabs} selected={shown} onSelect={(key) => setQuery({ tab: key === "pairs" ? "" : key })} />
      {shown === "funnel" ? (
        <Funnel doc={doc} />
      ) : shown === "balance" ? (
        <Balance doc={doc} />
      ) : shown === "card" ? (
        <article class="card">
          <Markdown text={doc.card} />
        </article>
      ) : shown === "settings" ? (
        <Settings doc={doc} />
      ) : (
        <Browser doc={doc} />
      )}
    </div>
  );
}

function Head(p: { doc: PairSet }) {
  const { doc } = p;
  const warnings = doc.audit?.warnings ?? [];
  return (
    <section aria-label="Figures">
      {doc.problem ? <p class="notice warn">{doc.problem}</p> : null}
      {doc.form === "trace" ? (
        <p class="muted">Pairs of rollouts of one task; the chosen one earned more.</p>
      ) : (
        <ControlsLine
          controls={doc.controls}
          none={doc.audit && doc.reverified === null ? "An audit: the pairs were made elsewhere." : "Unknown: the set has no summary."}
        />
      )}
      <dl class="facts">
        <Fact name={doc.heldout > 0 || doc.reverified ? "To train on" : "Pairs"}>
          {plural(doc.train, "pair")} of {plural(doc.train_tasks, "task")}
        </Fact>
        {doc.heldout > 0 || doc.funnel.length > 0 ? (
          <Fact name="Held out">
            {plural(doc.heldout, "pair")} of {plural(doc.heldout_tasks, "task")}
          </Fact>
        ) : null}
        {doc.subsets.length > 0 ? <Fact name="Nested subsets">{doc.subsets.map((s) => count(s)).join(", ")}</Fact> : null}
        {doc.dataset ? <Fact name="Dataset">{doc.dataset}</Fact> : null}
        {doc.reverified ? (
          <Fact name="Run again at the end">
            <Badge tone={doc.reverified.ok === doc.reverified.total ? "good" : "bad"}>
              {count(doc.reverified.ok)} of {count(doc.reverified.total)} as labelled
            </Badge>
          </Fact>
        ) : null}
        {doc.programs_run > 0 ? <Fact name="Programs run">{count(doc.programs_run)}</Fact> : null}
        {doc.seconds > 0 ? <Fact name={doc.reverified ? "Built in" : "Took"}>{seconds(doc.seconds)}</Fact> : null}
      </dl>
      {warnings.length > 0 ? (
        <ul class="remarks" aria-label="Warnings of the audit">
          {warnings.map((w) => <li key={w}>{w}</li>)}
        </ul>
      ) : null}
    </section>
  );
}

function Settings(p: { doc: PairSet }) {
  if (p.doc.settings.length === 0) return <Empty title="How the set was made is not recorded." />;
  return (
    <dl class="facts">
      {p.doc.settings.map((s, i) => <Fact key={i} name={s.name}>{s.value}</Fact>)}
    </dl>
  );
}
