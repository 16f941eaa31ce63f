/** pass@1 over a size such as the number of training pairs: one line for each base and what is compared with it. */
import { useMemo } from "preact/hooks";
import type { CompareReport } from "../../documents-code";
import { LineChart, type Series } from "../../kit";
import { sizeTitle } from "./index";

/** The curve, and what is known of the trend; nothing where no condition has a size. */
export function Curve(p: { report: CompareReport }) {
  const series = useMemo(() => seriesOf(p.report), [p.report]);
  if (series.length === 0) return null;
  return (
    <section aria-label="Over the size">
      <h2>Over the size</h2>
      <LineChart name="scaling" title={`pass@1 over ${sizeTitle(p.report).toLowerCase()}, with 95% intervals`} x={{ label: sizeTitle(p.report).toLowerCase() }} y={{ label: "pass@1", percent: true }} series={series} />
      {p.report.trends.map((t) => (
        <p key={t.base} class="trend">
          <strong>{t.base}:</strong> {t.words}
        </p>
      ))}
    </section>
  );
}

function seriesOf(report: CompareReport): Series[] {
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
      name: `from ${base}`,
      points: sorted.map((c) => [c.size ?? 0, c.pass_at_1] as [number, number]),
      band: sorted.filter((c) => c.ci95 !== null).map((c) => [c.size ?? 0, c.ci95?.[0] ?? 0, c.ci95?.[1] ?? 0] as [number, number, number]),
      marks: true,
    });
  }
  return out;
}
