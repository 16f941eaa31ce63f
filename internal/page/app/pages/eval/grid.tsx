/** The rewards of all rollouts at a glance: a column a task, a square a rollout. */
import { useMemo, useState } from "preact/hooks";
import type { EvalDoc } from "../../documents";
import { go, setQuery, useRoute } from "../../kit";

/** Beyond so many squares only tasks are drawn, by their means. */
const most = 6000;
const size = 13;
const gap = 2;

interface Cell {
  n: number;
  task: number;
  reward: number | null;
}

/** The step of the scale that a reward has: 0 for none, 10 for the full one. */
export function heat(reward: number | null): string {
  return reward === null ? "heat-error" : "heat-" + Math.round(10 * Math.min(1, Math.max(0, reward)));
}

/** The grid; a click opens a rollout. */
export function RewardGrid(p: { doc: EvalDoc; open: (n: number) => string }) {
  const { query } = useRoute();
  const sorted = query["order"] === "reward";
  const [under, setUnder] = useState<Cell | null>(null);
  const tasks = p.doc.summary.tasks ?? [];
  const columns = useMemo(() => arrange(p.doc, sorted), [p.doc, sorted]);
  const rows = columns.reduce((a, c) => Math.max(a, c.length), 0);
  const perLine = Math.max(1, Math.min(columns.length, Math.floor(1180 / (size + gap))));
  const lines = Math.ceil(columns.length / perLine);
  const height = rows * (size + gap) + 8;
  const at = (event: MouseEvent): Cell | null => {
    const [c, r] = (event.target as Element).getAttribute("data-at")?.split(",").map(Number) ?? [];
    return c === undefined || r === undefined ? null : (columns[c]?.[r] ?? null);
  };
  const many = p.doc.rows.total > most;
  const told = under
    ? (tasks[under.task]?.task || "task " + under.task) +
      (under.reward === null ? ": ended in an error" : ": reward " + under.reward.toFixed(3))
    : (many ? "A square is a task, by the mean of its rollouts" : "A square is a rollout, a column a task") +
      ". The table below has the same in numbers.";
  return (
    <section aria-label="Rewards by task and rollout">
      <div class="section-head">
        <h2>Rewards by task and rollout</h2>
        <label class="inline">
          Order{" "}
          <select value={sorted ? "reward" : ""} onChange={(e) => setQuery({ order: e.currentTarget.value })}>
            <option value="">as played</option>
            <option value="reward">by reward</option>
          </select>
        </label>
        <Scale />
      </div>
      <div class="scroll-x">
        <svg
          class="reward-grid"
          role="img"
          aria-label={`Rewards of ${p.doc.rows.total} rollouts of ${tasks.length} tasks`}
          width={perLine * (size + gap)}
          height={lines * height}
          onMouseOver={(e) => setUnder(at(e))}
          onMouseLeave={() => setUnder(null)}
          onClick={(e) => {
            const cell = at(e);
            if (cell !== null && cell.n >= 0) go(p.open(cell.n));
          }}
        >
          {columns.map((column, c) =>
            column.map((cell, r) => (
              <rect
                key={`${c},${r}`}
                data-at={`${c},${r}`}
                class={heat(cell.reward)}
                x={(c % perLine) * (size + gap)}
                y={Math.floor(c / perLine) * height + r * (size + gap)}
                width={size}
                height={size}
                rx={2}
              />
            )),
          )}
        </svg>
      </div>
      <p class="muted one-line">{told}</p>
    </section>
  );
}

/** What the colours mean. */
function Scale() {
  return (
    <span class="scale muted">
      0{" "}
      <svg width={11 * 12} height={12} aria-hidden="true">
        {Array.from({ length: 11 }, (_, i) => (
          <rect key={i} class={"heat-" + i} x={i * 12} width={12} height={12} />
        ))}
      </svg>{" "}
      1
      <svg width={12} height={12} aria-hidden="true">
        <rect class="heat-error" width={12} height={12} rx={2} />
      </svg>{" "}
      error
    </span>
  );
}

/** The columns: each task's rollouts, or its mean where there are too many. */
function arrange(doc: EvalDoc, sorted: boolean): Cell[][] {
  const { rows } = doc;
  const tasks = doc.summary.tasks ?? [];
  let columns: Cell[][] = tasks.map(() => []);
  if (rows.total > most) {
    const first: number[] = [];
    for (let n = rows.total - 1; n >= 0; n--) first[rows.task[n] ?? 0] = n;
    columns = tasks.map((t, task) => [{ n: first[task] ?? -1, task, reward: t.mean }]);
  } else {
    for (let n = 0; n < rows.total; n++) {
      const task = rows.task[n] ?? 0;
      columns[task]?.push({ n, task, reward: rows.reward[n] ?? null });
    }
  }
  if (sorted) {
    const mean = (c: Cell[]) => tasks[c[0]?.task ?? -1]?.mean ?? -1;
    columns.sort((a, b) => mean(a) - mean(b));
  }
  return columns;
}
