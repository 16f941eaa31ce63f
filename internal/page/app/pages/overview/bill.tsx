/** What a review's models were asked for, and what that cost. */
import { useDoc, type BillRow, type Findings } from "../../documents";
import { count, money, Table, Visible, type Column } from "../../kit";

const columns: readonly Column<BillRow>[] = [
  { key: "role", title: "Role", value: (r) => r.role },
  { key: "model", title: "Model", value: (r) => r.model, render: (r) => <code><Visible text={r.model} /></code> },
  { key: "calls", title: "Calls", value: (r) => r.calls, render: (r) => count(r.calls) },
  { key: "in", title: "Tokens in", value: (r) => r.input_tokens, render: (r) => count(r.input_tokens) },
  { key: "cached", title: "of them cached", value: (r) => r.cached_tokens, render: (r) => count(r.cached_tokens) },
  { key: "out", title: "Tokens out", value: (r) => r.output_tokens, render: (r) => count(r.output_tokens) },
  { key: "cost", title: "Cost", value: (r) => r.cost_usd, render: (r) => money(r.cost_usd), align: "right" },
];

/** The bill, by role. */
export function Bill() {
  const { doc } = useDoc<Findings>("findings");
  if (doc === undefined) return null;
  return (
    <div class="review-bill">
      <h3>Bill</h3>
      <Table name="Bill" rows={doc.bill} columns={columns} />
      <p class="muted">"?" is an unknown price, not zero.</p>
    </div>
  );
}
