/** One rollout of an eval: its reward and what it is made of, what was to be found, and its turns. */
import { ProblemBox, useDoc, type EvalRole, type EvalRollout, type Run } from "../../documents";
import {
  Badge, count, Fact, go, href, Loading, money, plural, Raw, seconds, Severity, Table, Tabs, useKeys, Visible, type Column,
} from "../../kit";
import { heat } from "./grid";
import { LocatedPlaces } from "./located";
import { notAdded, signed } from "./parts";
import { Turns } from "../run/turns";
import { Unknown } from "../unknown";

/** "eval/rollout/N": the row; below "turns", the trace. */
export function RolloutPage(p: { run: Run; n: string; rest: string[]; at: string }) {
  const { doc, error } = useDoc<EvalRollout>(`eval/rollout/${p.n}`);
  const here = `${p.at}/rollout/${p.n}`;
  const turns = p.rest[0] === "turns";
  const to = (n: number | null | undefined) =>
    n === null || n === undefined ? undefined : () => go(`${p.at}/rollout/${n}${turns ? "/turns" : ""}`);
  useKeys({ p: to(doc?.previous), n: to(doc?.next), u: () => go(p.at) }, "rollout: previous, next, up to all");
  if (doc === undefined) return error ? <ProblemBox problem={error} /> : <Loading />;
  if (!turns && p.rest[0] !== undefined) return <Unknown what={p.rest[0]} to={here} />;
  return (
    <div class="measures stack">
      <Head doc={doc} at={p.at} />
      {doc.trace !== "" ? (
        <Tabs
          name="Rollout"
          tabs={[{ key: "row", title: "Reward" }, { key: "turns", title: "Turns" }]}
          selected={turns ? "turns" : "row"}
          onSelect={(key) => go(key === "turns" ? `${here}/turns` : here)}
        />
      ) : null}
      {turns ? <Turns run={p.run} rest={p.rest.slice(1)} base={doc.trace} at={`${here}/turns`} /> : <Details doc={doc} />}
    </div>
  );
}

function Head(p: { doc: EvalRollout; at: string }) {
  const { doc } = p;
  const reward = doc.reward[0] ?? null;
  const link = (n: number | null, text: string) =>
    n === null ? <span class="button small off">{text}</span> : <a class="button small" href={href(`${p.at}/rollout/${n}`)}>{text}</a>;
  return (
    <section aria-label="Rollout">
      <div class="section-head">
        <h2>
          <svg width={14} height={14} aria-hidden="true"><rect class={heat(reward)} width={14} height={14} rx={2} /></svg>{" "}
          {reward === null ? "error" : reward.toFixed(3)}
        </h2>
        <span class="grow wrap"><Visible text={doc.task || "example " + doc.example} />, rollout {doc.rollout + 1}</span>
        <span class="muted">{count(doc.n + 1)} of {count(doc.of)}</span>
        {link(doc.previous, "‹ Previous")}
        {link(doc.next, "Next ›")}
      </div>
      <dl class="facts">
        <Fact name="Ended by">
          {doc.stop || "?"}{" "}
          {doc.truncated ? (
            <Badge tone="warn" title="A reply of the policy was cut off">
              cut off
            </Badge>
          ) : null}
        </Fact>
        {doc.failure ? <Fact name="Error"><Badge tone="bad">{doc.failure}</Badge></Fact> : null}
        <Fact name="Policy">{role(doc.root_usage)}</Fact>
        <Fact name="Workers">{role(doc.worker_usage)}</Fact>
        <Fact name="Cost">{money(doc.cost_usd)}</Fact>
        <Fact name="Time">{seconds(doc.seconds)}</Fact>
        {doc.info.map((f) => (
          <Fact key={f.name} name={f.name}><Visible text={f.value} /></Fact>
        ))}
      </dl>
    </section>
  );
}

function role(r: EvalRole): string {
  return `${plural(r.calls, "call")}, ${count(r.input_tokens)} in, ${count(r.output_tokens)} out`;
}

const partColumns: Column<EvalRollout["parts"][number]>[] = [
  { key: "name", title: "Part", value: (r) => r.name },
  { key: "value", title: "Value", value: (r) => r.value, render: (r) => r.value.toFixed(3) },
  { key: "weight", title: "Weight", value: (r) => r.weight, render: (r) => signed(r.weight, 2) },
  { key: "gives", title: "Value × weight", value: (r) => r.value * r.weight, render: (r) => signed(r.value * r.weight, 3) },
];

const metricColumns: Column<EvalRollout["metrics"][number]>[] = [
  { key: "name", title: "Metric", value: (r) => r.name },
  { key: "value", title: "Value", value: (r) => r.value, render: (r) => String(Number(r.value.toPrecision(5))) },
];

const defectColumns: Column<EvalRollout["defects"][number]>[] = [
  { key: "severity", title: "Severity", value: (r) => r.severity, render: (r) => <Severity s={r.severity} /> },
  {
    key: "file", title: "Place", value: (r) => `${r.file}:${r.line}`,
    render: (r) => <span class="mono wrap"><Visible text={`${r.file}:${r.line}`} /></span>,
  },
  { key: "category", title: "Category", value: (r) => r.category },
  { key: "cross", title: "Between files", value: (r) => (r.cross_file ? "yes" : "") },
  { key: "description", title: "Defect", value: (r) => r.description, render: (r) => <Visible text={r.description} /> },
];

function Details(p: { doc: EvalRollout }) {
  const { doc } = p;
  const metric = (name: string) => doc.metrics.find((m) => m.name === name)?.value;
  const recall = metric("recall");
  return (
    <>
      {doc.failure_text ? (
        <section>
          <h2>What went wrong</h2>
          <Raw text={doc.failure_text} />
        </section>
      ) : null}
      {doc.located ? <LocatedPlaces located={doc.located} metrics={doc.metrics} /> : null}
      <div class="two">
        {doc.parts.length > 0 ? (
          <section>
            <h2>Parts of the reward</h2>
            <Table name="Parts of the reward" rows={doc.parts} columns={partColumns} />
            {doc.reward[0] == null || Math.abs(doc.parts.reduce((sum, r) => sum + r.value * r.weight, 0) - doc.reward[0]) < 0.001 ? null : (
              <p class="muted">{notAdded}</p>
            )}
          </section>
        ) : null}
        {doc.metrics.length > 0 ? (
          <section>
            <h2>Metrics</h2>
            <Table name="Metrics" rows={doc.metrics} columns={metricColumns} />
          </section>
        ) : null}
      </div>
      {doc.defects.length > 0 && !doc.located ? (
        <section>
          <h2>What was planted</h2>
          <p class="muted">
            {doc.defects.length === 1 ? "One defect" : `${count(doc.defects.length)} defects`}.{" "}
            {recall !== undefined ? `Recall ${recall.toFixed(2)}, ` : ""}
            {metric("precision") !== undefined ? `precision ${metric("precision")?.toFixed(2)}, ` : ""}
            {metric("false_findings") !== undefined ? `false findings ${count(metric("false_findings"))}, ` : ""}
            {metric("decoys_claimed") !== undefined ? `decoys claimed ${count(metric("decoys_claimed"))}. ` : ""}
            The row keeps these counts, not which defects were found; the turns show what was claimed.
          </p>
          <Table name="Planted defects" rows={doc.defects} columns={defectColumns} />
        </section>
      ) : null}
      {doc.truth ? (
        <section>
          <h2>Ground truth</h2>
          <Raw text={doc.truth} />
        </section>
      ) : null}
      {doc.messages.length > 0 ? (
        <section>
          <h2>Conversation</h2>
          {doc.messages.map((m, i) => (
            <article key={i} class="message">
              <h3>{m.role || "?"}</h3>
              <Raw text={m.text} />
              {m.cut ? <p class="muted">{count(m.cut)} bytes more are in results.jsonl.</p> : null}
            </article>
          ))}
        </section>
      ) : null}
    </>
  );
}
