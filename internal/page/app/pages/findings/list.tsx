/** The list of findings, in groups. */
import type { Finding } from "../../documents";
import { count, href, Severity, SeveritySign, Virtual, Visible, type Query } from "../../kit";
import type { By, Row } from "./groups";
import { placeOf } from "./place";

/** Groups and findings; only those in sight are drawn. */
export function FindingList(p: {
  rows: readonly Row[]; by: By; chosen: Finding | undefined; onChoose: (f: Finding) => void; query: Query;
}) {
  const at = p.rows.findIndex((r) => "finding" in r && r.finding === p.chosen);
  return (
    <Virtual
      name="Findings"
      class="finding-list"
      count={p.rows.length}
      height={(i) => (p.rows[i] !== undefined && "head" in p.rows[i] ? 30 : 48)}
      {...(at >= 0 ? { scrollTo: at } : {})}
      render={(i) => {
        const row = p.rows[i];
        if (row === undefined) return null;
        if ("head" in row) {
          return (
            <h2 class="group-head">
              <span class={p.by === "file" ? "mono" : ""}><Visible text={row.head} /></span> <span class="muted">{count(row.count)}</span>
            </h2>
          );
        }
        const f = row.finding;
        return (
          <a
            class={"finding-row" + (f === p.chosen ? " selected" : "")}
            aria-current={f === p.chosen ? "true" : undefined}
            href={href("findings/" + f.id, p.query)}
            onClick={(e) => {
              if (e.ctrlKey || e.metaKey || e.shiftKey) return;
              e.preventDefault();
              p.onChoose(f);
            }}
          >
            <span class="finding-row-title">
              {p.by === "severity" ? (
                <SeveritySign s={f.severity} />
              ) : (
                <Severity s={f.severity} />
              )}{" "}
              <Visible text={f.title} />
            </span>
            <span class="finding-row-place mono muted">
              <Visible text={p.by === "file" ? (f.line > 0 ? `line ${f.line}` : "") : placeOf(f)} />
              {p.by !== "category" ? <span class="finding-row-category"> {f.category}</span> : null}
              {f.status === "pre-existing" ? <span> · there before</span> : null}
            </span>
          </a>
        );
      }}
    />
  );
}

/** Copies without a button: for a key. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard?.writeText(text).catch(() => undefined);
}
