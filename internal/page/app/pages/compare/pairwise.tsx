/** Two conditions head to head: the four fields, the difference, and every task that changed. */
import { useMemo } from "preact/hooks";
import type { Compared, CompareReport } from "../../documents";
import { Badge, count, Empty, Fact, go, plural, setQuery, Table, useRoute } from "../../kit";
import { between, chance, points, testName } from "./words";

/** The comparisons; one of them is shown whole. */
export function Pairwise(p: { report: CompareReport; programs: readonly string[]; selected: string | undefined }) {
  const all = p.report.comparisons;
  const shown = all.find((c) => c.other === p.selected) ?? all[0];
  if (shown === undefined) return <Empty title="Nothing was compared." />;
  return (
    <section aria-label="Head to head" class="stack">
      <div class="section-head">
        <h2>Head to head</h2>
        {all.length > 1 ? (
          <label class="inline">
            <span class="off-screen">Comparison</span>
            <select value={shown.other} onChange={(e) => setQuery({ other: e.currentTarget.value })}>
              {all.map((c) => (
                <option key={c.other} value={c.other}>
                  {c.other} against {c.base}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <span>
            {shown.other} against {shown.base}
          </span>
        )}
      </div>
      <p class="verdict">
        <span class="verdict-words">{points(shown.delta_pp, 2)} pp</span> ({between(shown.ci95)}): {shown.words}.{" "}
        {shown.regressed.length > 0 ? `What got worse: ${plural(shown.regressed.length, "task")}.` : "No task got worse."}
      </p>
      <div class="two">
        <FourFields c={shown} />
        <dl class="facts">
          <Fact name="Difference, paired bootstrap">
            {points(shown.delta_pp, 2)} pp, {between(shown.ci95)}
          </Fact>
          {shown.ci95_bonett_price ? <Fact name="Bonett-Price interval">{between(shown.ci95_bonett_price)}</Fact> : null}
          <Fact name={testName(shown.test)}>p {chance(shown.p)}</Fact>
          <Fact name="After Holm">p {chance(shown.p_holm)}</Fact>
          <Fact name="Detectable change">
            {shown.minimum_detectable_pp === null ? "?" : `${shown.minimum_detectable_pp.toFixed(1)} pp`}
          </Fact>
          <Fact name="Relative">{shown.relative_pct === null ? "? (the base passes nothing)" : `${points(shown.relative_pct)}%`}</Fact>
          <Fact name="Tasks compared">{count(shown.tasks)}</Fact>
        </dl>
      </div>
      <Flips c={shown} programs={p.programs} />
    </section>
  );
}

/** Passes and failures of both sides, as McNemar's test sees them. */
function FourFields(p: { c: Compared }) {
  const { c } = p;
  return (
    <table class="four-fields">
      <caption class="off-screen">Tasks by their outcome in both conditions</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{c.other}: pass</th>
          <th scope="col">fail</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{c.base}: pass</th>
          <td><strong>{count(c.both_pass)}</strong> both</td>
          <td class="field-bad"><strong>{count(c.regressed.length)}</strong> regressed</td>
        </tr>
        <tr>
          <th scope="row">fail</th>
          <td class="field-good"><strong>{count(c.improved.length)}</strong> improved</td>
          <td><strong>{count(c.both_fail)}</strong> neither</td>
        </tr>
      </tbody>
      {c.unchanged ? (
        <tfoot>
          <tr>
            <td colSpan={3}>{plural(c.unchanged, "further task")} with the same share of passes, neither none nor all</td>
          </tr>
        </tfoot>
      ) : null}
    </table>
  );
}

interface FlipRow {
  id: string;
  improved: boolean;
  here: boolean;
}

function Flips(p: { c: Compared; programs: readonly string[] }) {
  const { query } = useRoute();
  const kept = useMemo(() => new Set(p.programs), [p.programs]);
  const rows = useMemo<FlipRow[]>(
    () => [
      ...p.c.improved.map((id) => ({ id, improved: true, here: kept.has(id) })),
      ...p.c.regressed.map((id) => ({ id, improved: false, here: kept.has(id) })),
    ],
    [p.c, kept],
  );
  const change = query["change"] ?? "";
  const words = (query["q"] ?? "").toLowerCase();
  const filter = useMemo(
    () => (r: FlipRow) => (change === "" || r.improved === (change === "improved")) && r.id.toLowerCase().includes(words),
    [change, words],
  );
  if (rows.length === 0) return <Empty title="No task changed." />;
  return (
    <section aria-label="Tasks that changed">
      <div class="section-head">
        <h3>Tasks that changed</h3>
        <label class="inline">
          Change{" "}
          <select value={change} onChange={(e) => setQuery({ change: e.currentTarget.value })}>
            <option value="">any</option>
            <option value="improved">improved</option>
            <option value="regressed">regressed</option>
          </select>
        </label>
        <label class="inline grow">
          <span class="off-screen">Filter by task</span>
          <input
            type="search" class="search" placeholder="Filter by task" value={query["q"] ?? ""}
            onInput={(e) => setQuery({ q: e.currentTarget.value })}
          />
        </label>
      </div>
      <Table
        name="Tasks that changed"
        rows={rows}
        filter={filter}
        onOpen={(r) => go("compare/task/" + r.id, { other: p.c.other })}
        columns={[
          { key: "id", title: "Task", value: (r) => r.id },
          {
            key: "change", title: "Change", value: (r) => (r.improved ? "improved" : "regressed"),
            render: (r) => <Badge tone={r.improved ? "good" : "bad"}>{r.improved ? "improved" : "regressed"}</Badge>,
          },
          { key: "programs", title: "Programs", value: (r) => (r.here ? "both, side by side" : "not kept here") },
        ]}
      />
    </section>
  );
}
