/** What the tables of a fleet say. */
import type { FleetDead, FleetQueue, FleetRun, FleetWorker } from "../../documents";
import { Badge, count, decimal, money, seconds, Visible, when, type Column } from "../../kit";

export const workerColumns: readonly Column<FleetWorker>[] = [
  {
    key: "name", title: "Worker", value: (w) => w.name,
    render: (w) => (
      <>
        <span class="mono"><Visible text={w.name} /></span> {w.draining ? <Badge tone="warn">draining</Badge> : null}
      </>
    ),
  },
  { key: "kinds", title: "Does", value: (w) => w.kinds.join(", "), render: (w) => <Visible text={w.kinds.join(", ")} />, from: 700 },
  { key: "slots", title: "Slots", value: (w) => w.slots, render: (w) => count(w.slots) },
  { key: "running", title: "Running", value: (w) => w.running, render: (w) => count(w.running) },
  {
    key: "longest", title: "Longest", value: (w) => w.longest_s, render: (w) => (w.running > 0 ? seconds(w.longest_s) : "–"),
    hint: "How long the item runs that runs longest", from: 700,
  },
  { key: "done", title: "Done", value: (w) => w.done, render: (w) => count(w.done), hint: "An item of judge holds up to 64 programs" },
  {
    key: "rate", title: "A minute", value: (w) => w.per_minute, render: (w) => decimal(w.per_minute, 1), align: "right",
    hint: "Items done in a minute, by the last half of one",
  },
  {
    key: "faults", title: "Faults", value: (w) => w.faults,
    render: (w) => (w.faults > 0 ? <Badge tone="bad">{count(w.faults)}</Badge> : "0"),
    hint: "Items that failed on this machine and went to another one",
  },
  { key: "up", title: "Up", value: (w) => w.up_s, render: (w) => seconds(w.up_s), from: 1000 },
  { key: "seen", title: "Seen", value: (w) => w.seen_s, render: (w) => `${seconds(w.seen_s)} ago`, align: "right", from: 1000 },
  { key: "version", title: "Version", value: (w) => w.version, render: (w) => <Visible text={w.version} />, from: 1400 },
];

export const queueColumns: readonly Column<FleetQueue>[] = [
  { key: "kind", title: "Kind", value: (q) => q.kind, render: (q) => <Visible text={q.kind} /> },
  { key: "waiting", title: "Waiting", value: (q) => q.waiting, render: (q) => count(q.waiting) },
  { key: "running", title: "Running", value: (q) => q.running, render: (q) => count(q.running) },
  { key: "done", title: "Done", value: (q) => q.done, render: (q) => count(q.done), hint: "By the workers that are there now" },
  {
    key: "again", title: "Again", value: (q) => q.again, render: (q) => count(q.again), hint: "In work, and handed out more than once",
    from: 700,
  },
  { key: "dead", title: "Dead", value: (q) => q.dead, render: (q) => (q.dead > 0 ? <Badge tone="bad">{count(q.dead)}</Badge> : "0") },
  {
    key: "oldest", title: "Oldest", value: (q) => q.oldest_s, render: (q) => (q.waiting + q.running > 0 ? seconds(q.oldest_s) : "–"),
    hint: "The age of the item that was sent first among those that wait or run",
  },
];

export const runColumns: readonly Column<FleetRun>[] = [
  { key: "run", title: "Run", value: (r) => r.run, render: (r) => <span class="mono"><Visible text={r.run} /></span> },
  { key: "cap", title: "Budget", value: (r) => r.cap_usd, render: (r) => money(r.cap_usd) },
  { key: "spent", title: "Spent", value: (r) => r.spent_usd, render: (r) => money(r.spent_usd), hint: "By items that are done, at most" },
  {
    key: "leased", title: "Leased", value: (r) => r.leased_usd, render: (r) => money(r.leased_usd),
    hint: "What items that run may spend, with what they have spent of it",
  },
  { key: "items", title: "Items", value: (r) => r.items, render: (r) => count(r.items), hint: "With a lease", from: 700 },
  { key: "at", title: "Changed", value: (r) => r.at, render: (r) => <span class="nowrap">{when(r.at)}</span>, from: 700 },
];

export const deadColumns: readonly Column<FleetDead>[] = [
  { key: "kind", title: "Kind", value: (d) => d.kind, render: (d) => <Visible text={d.kind} /> },
  { key: "reason", title: "Reason", value: (d) => d.reason, render: (d) => <Visible text={d.reason} /> },
  {
    key: "worker", title: "Last worker", value: (d) => d.worker, render: (d) => <span class="mono"><Visible text={d.worker} /></span>,
    from: 700,
  },
  { key: "key", title: "Item", value: (d) => d.key, render: (d) => <code><Visible text={d.key} /></code>, from: 1000 },
  { key: "at", title: "Died", value: (d) => d.at, render: (d) => <span class="nowrap">{when(d.at)}</span>, from: 700 },
];
