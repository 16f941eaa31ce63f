/** Which workers of a fleet did a run's items. */
import type { FleetShare, FleetWork as Work } from "../../documents";
import { count, Empty, plural, Table, Visible, when, type Column } from "../../kit";

const columns: readonly Column<FleetShare>[] = [
  { key: "name", title: "Worker", value: (w) => w.name, render: (w) => <span class="mono"><Visible text={w.name} /></span> },
  { key: "items", title: "Items", value: (w) => w.items, render: (w) => count(w.items), hint: "An item of judge holds up to 64 programs" },
  { key: "kinds", title: "Of which kinds", value: kindsOf, render: (w) => <Visible text={kindsOf(w)} /> },
  { key: "first", title: "First result", value: (w) => w.first, render: (w) => <span class="nowrap">{when(w.first)}</span>, from: 700 },
  { key: "last", title: "Last result", value: (w) => w.last, render: (w) => <span class="nowrap">{when(w.last)}</span>, from: 700 },
];

function kindsOf(w: FleetShare): string {
  return Object.entries(w.kinds).map(([kind, n]) => `${kind} ${count(n)}`).join(", ");
}

/** The table of a run that has some. */
export function FleetWork(p: { work: Work }) {
  const { work } = p;
  return (
    <section aria-label="Fleet">
      <h2>Fleet: who did what</h2>
      {work.url ? <p class="muted mono"><Visible text={work.url} /></p> : null}
      {work.forged > 0 ? (
        <p role="alert">{plural(work.forged, "result")} not believed: no worker of the fleet made {work.forged === 1 ? "it" : "them"}.</p>
      ) : null}
      <Table name="Who did what" rows={work.workers} columns={columns} empty={<Empty title="No worker has finished an item yet." />} />
      {work.others ? <p class="muted">{plural(work.others, "item")} by workers that are not listed.</p> : null}
    </section>
  );
}
