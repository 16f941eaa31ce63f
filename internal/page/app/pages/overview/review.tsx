/** A review on its first page: the worst findings, the map of what was seen, the bill. */
import { useMemo } from "preact/hooks";
import { useDoc, type BillRow, type Files, type Findings } from "../../documents";
import { count, Empty, go, href, money, plural, Severity, Table, Visible, type Column } from "../../kit";
import { TreeMap } from "../code/map";
import { buildTree } from "../code/tree";
import { placeOf } from "../findings/place";
import { secondSentence } from "../findings/second";
import { whyFirst } from "../findings/groups";

const billColumns: readonly Column<BillRow>[] = [
  { key: "role", title: "Role", value: (r) => r.role },
  { key: "model", title: "Model", value: (r) => r.model, render: (r) => <code><Visible text={r.model} /></code> },
  { key: "calls", title: "Calls", value: (r) => r.calls, render: (r) => count(r.calls) },
  { key: "in", title: "Tokens in", value: (r) => r.input_tokens, render: (r) => count(r.input_tokens) },
  { key: "cached", title: "of them cached", value: (r) => r.cached_tokens, render: (r) => count(r.cached_tokens) },
  { key: "out", title: "Tokens out", value: (r) => r.output_tokens, render: (r) => count(r.output_tokens) },
  { key: "cost", title: "Cost", value: (r) => r.cost_usd, render: (r) => money(r.cost_usd), align: "right" },
];

/** What a reader wants to know first. */
export function ReviewSummary() {
  const { doc } = useDoc<Findings>("findings");
  const { doc: files } = useDoc<Files>("files");
  const tree = useMemo(() => buildTree(files?.files ?? []), [files]);
  if (doc === undefined) return null;
  const byID = new Map(doc.findings.map((f) => [f.id, f]));
  const more = doc.findings.length - doc.top.length;
  return (
    <div class="review-summary">
      <section aria-label="What to do first">
        <h2>{more > 0 ? "What to do first" : "Findings"}</h2>
        {doc.verification ? <p class="muted">{secondSentence(doc.verification)}</p> : null}
        {doc.findings.length === 0 ? <Empty title="No findings."><p>That does not prove that there is nothing to find.</p></Empty> : null}
        <ol class="worst">
          {doc.top.map((top) => {
            const f = byID.get(top.id);
            return f === undefined ? null : (
              <li key={f.id}>
                <a href={href("findings/" + f.id)}>
                  <Severity s={f.severity} /> <span class="worst-title"><Visible text={f.title} /></span>
                  <span class="worst-place mono muted"><Visible text={placeOf(f)} /></span>
                  <span class="worst-place muted"><Visible text={whyFirst(top)} /></span>
                </a>
              </li>
            );
          })}
        </ol>
        {more > 0 ? <p><a href={href("findings")}>{plural(doc.findings.length, "finding")} in all</a></p> : null}
      </section>
      {tree.files > 0 && !files?.partial ? (
        <section aria-label="What was seen">
          <h2>What workers saw</h2>
          <TreeMap
            dir={tree} shade="coverage" onFile={(path) => go("code/file/" + path)} onDirectory={(path) => go("code", { dir: path })}
          />
        </section>
      ) : null}
      <section class="review-bill" aria-label="Bill">
        <h2>Bill</h2>
        <Table name="Bill" rows={doc.bill} columns={billColumns} />
        <p class="muted">"?" is an unknown price, not zero.</p>
      </section>
    </div>
  );
}
