/** A fleet live: who works, what waits, what failed, how fast it goes. Names and reasons come from other machines. */
import { useEffect, useState } from "preact/hooks";
import { ProblemBox, useAnswer, useSource, type Fleet } from "../../documents";
import { Badge, count, decimal, Empty, Fact, LineChart, Loading, plural, Table, Visible, when } from "../../kit";
import { deadColumns, queueColumns, runColumns, workerColumns } from "./columns";

const every = 2000;

/** The page of the fleet that the server was given. */
export function FleetPage() {
  const source = useSource();
  const { doc, error } = useAnswer<Fleet>("fleet", useTicks(every), () => source.fleet());
  if (doc === undefined) return error ? <ProblemBox problem={error} /> : <Loading />;
  const away = doc.problem ? { status: 0, message: doc.problem, ...(doc.hint ? { hint: doc.hint } : {}) } : error;
  return (
    <div class="measures stack">
      <section aria-label="Fleet">
        <div class="run-head">
          <h1>Fleet</h1>
          {away ? <Badge tone="bad">away</Badge> : <Badge tone="live">live</Badge>}
        </div>
        <p class="run-path"><Visible text={doc.url} /></p>
        {away ? <ProblemBox problem={away} /> : null}
        {away && doc.at ? <p class="muted">What follows is of {when(doc.at)}, when the hub answered last.</p> : null}
        <Facts fleet={doc} />
      </section>
      <Speed fleet={doc} />
      <section aria-label="Workers">
        <h2>Workers</h2>
        <Table
          name="Workers" rows={doc.workers} columns={workerColumns}
          empty={<Empty title="No worker is there."><p>deeprepo fleet work --fleet URL starts one.</p></Empty>}
        />
        {doc.more ? <p class="muted">{plural(doc.more, "more worker")} not listed.</p> : null}
      </section>
      <section aria-label="Queues">
        <h2>Queues</h2>
        <Table name="Queues" rows={doc.queues} columns={queueColumns} empty={<Empty title="No queue is known." />} />
      </section>
      {doc.runs.length > 0 ? (
        <section aria-label="Money">
          <h2>What runs spend</h2>
          <Table name="Money" rows={doc.runs} columns={runColumns} />
        </section>
      ) : null}
      {doc.dead.length > 0 ? (
        <section aria-label="Dead items">
          <h2>Items that nobody could finish</h2>
          <Table name="Dead items" rows={doc.dead} columns={deadColumns} />
        </section>
      ) : null}
    </div>
  );
}

function Facts(p: { fleet: Fleet }) {
  const { workers, queues, rates, version } = p.fleet;
  const sum = (ns: readonly number[]) => ns.reduce((a, b) => a + b, 0);
  const now = rates[rates.length - 1]?.per_second;
  return (
    <dl class="facts">
      <Fact name="Workers">{count(workers.length + (p.fleet.more ?? 0))}</Fact>
      <Fact name="Slots busy">{count(sum(workers.map((w) => w.running)))} of {count(sum(workers.map((w) => w.slots)))}</Fact>
      <Fact name="Items a second">{decimal(now, 1)}</Fact>
      <Fact name="Waiting">{count(sum(queues.map((q) => q.waiting)))}</Fact>
      <Fact name="Dead">{count(sum(queues.map((q) => q.dead)))}</Fact>
      {version ? <Fact name="Version"><Visible text={version} /></Fact> : null}
    </dl>
  );
}

/** The last minutes; the time of the last answer is 0. The first point holds the axis. */
function Speed(p: { fleet: Fleet }) {
  const last = Date.parse(p.fleet.at ?? "");
  const points = p.fleet.rates.map((r) => [(Date.parse(r.at) - last) / 60_000, r.per_second] as const);
  if (points.length < 2) return null;
  const series = [{ name: "all workers", points: [[-5, null] as const, ...points], marks: false }];
  return (
    <LineChart
      name="fleet-speed" title="Items a second, the last five minutes" x={{ label: "minutes" }} y={{ label: "items a second", from0: true }}
      series={series} height={180}
    />
  );
}

/** Counts up while the page is in sight, and at once when it comes into sight. */
function useTicks(ms: number): number {
  const [n, set] = useState(0);
  useEffect(() => {
    const tick = () => document.visibilityState === "visible" && set((old) => old + 1);
    const timer = setInterval(tick, ms);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [ms]);
  return n;
}
