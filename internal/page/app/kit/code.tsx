/** Source code: line numbers, findings, what was covered. */
import { Visible } from "./text";

/** Lines that belong to a finding. */
export interface Mark {
  from: number;
  to: number;
  severity: string;
  id: string;
}

/** Code with line numbers from `from`, which defaults to 1. */
export function Code(p: { text: string; language: string; from?: number; marks?: readonly Mark[]; covered?: readonly [number, number][]; onLine?: (line: number) => void; name?: string }) {
  const first = p.from ?? 1;
  const lines = p.text.split("\n");
  return (
    <pre class="code" tabIndex={0} aria-label={p.name ?? "code"}>
      {lines.map((line, i) => {
        const n = first + i;
        const mark = p.marks?.find((m) => n >= m.from && n <= m.to);
        const covered = p.covered?.some(([a, b]) => n >= a && n <= b);
        return (
          <div key={n} class={"line" + (mark ? " mark severity-" + mark.severity : "") + (covered ? " covered" : "")}>
            <span class="line-number" onClick={p.onLine ? () => p.onLine?.(n) : undefined}>{n}</span>
            <code>
              <Visible text={line} />
            </code>
          </div>
        );
      })}
    </pre>
  );
}
