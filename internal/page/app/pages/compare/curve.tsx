/** pass@1 over a size such as the number of training pairs: one line for each base and what is compared with it. */
import { useMemo } from "preact/hooks";
import type { CompareReport } from "../../documents";
import { LineChart, type Series } from "../../kit";
import { sizeTitle, trends } from "./words";

/** The curves of all reports in one picture, and what is known of the trends; nothing where no condition has a size. */
export function Curve(p: { reports: readonly CompareReport[] }) {
  const series = useMemo(() => p.reports.flatMap((r) => seriesOf(r, p.reports.length > 1)), [p.reports]);
  const first = p.reports[0];
  if (series.length === 0 || first === undefined) return null;
  const unit = sizeTitle(first).toLowerCase();
  return (
    <section aria-label="Over the size">
      <h2>Over the size</h2>
      <LineChart
        name="scaling" title={`pass@1 over ${unit}, with 95% intervals`} x={{ label: unit }} y={{ label: "pass@1", percent: true }}
        series={series}
      />
      {p.reports.flatMap((r) =>
        trends(r).map((t) => (
          <p key={r.verdicts + t.base} class="trend">
            <strong>
              {t.base}
              {p.reports.length > 1 ? verdictWords(r) : ""}:
            </strong>{" "}
            {t.words}
          </p>
        )),
      )}
    </section>
  );
}

function verdictWords(report: CompareReport): string {
  return report.verdicts === "rescored" ? ", tests run" : ", as reported";
}

function seriesOf(report: CompareReport, several: boolean): Series[] {
  const groups = new Map<string, CompareReport["conditions"]>();
  for (const c of report.conditions) {
    if (c.size === null) continue;
    const base = c.base || c.name;
    groups.set(base, [...(groups.get(base) ?? []), c]);
  }
  const out: Series[] = [];
  for (const [base, group] of groups) {
    const sorted = [...group].sort((a, b) => (a.size ?? 0) - (b.size ?? 0));
    if (sorted.length < 2) continue;
    out.push({
      name: `from ${base}${several ? verdictWords(report) : ""}`,
      points: sorted.map((c) => [c.size ?? 0, c.pass_at_1] as [number, number]),
      band: sorted.filter((c) => c.ci95 !== null).map((c) => [c.size ?? 0, c.ci95?.[0] ?? 0, c.ci95?.[1] ?? 0] as [number, number, number]),
      marks: true,
    });
  }
  return out;
}
