/**
 * The timeline of a trace: its columns folded into one row a turn, gate, compaction, child loop and ending, in the
 * order in which a reader follows them. A child loop stands below the turn that began it, whole, although its events
 * lie between those of its siblings. No page, no state.
 */
import type { Trace } from "../../documents";
import { turnOfKey } from "./place";

/** Bits of Trace.flags. */
export const Flag = { error: 1, cached: 2, redacted: 4, limit: 8, synthesis: 16, repeated: 32 } as const;

/** One line of the timeline. Numbers that do not fit a kind are 0. */
export interface Row {
  kind: "turn" | "loop" | "gate" | "compact" | "start" | "end";
  /** Number of the event in the trace, the address of a turn. A loop has that of its first event. */
  seq: number;
  /** Index into Trace.nodes, and how many loops lie above. */
  node: number;
  depth: number;
  /** The turn's number within its loop; for a loop, how many turns it has. */
  number: number;
  label: string;
  /** Dispatches of the turn, as indexes of events in order; empty for every other kind. */
  dispatches: number[];
  /** How many there are; for a loop, those of all its turns. */
  dispatched: number;
  /** Cells of the turn, as indexes of events. */
  cells: number[];
  /** Failed root calls, cells and dispatches. */
  errors: number;
  repeated: boolean;
  limited: boolean;
  synthesis: boolean;
  /** Milliseconds since the run began: from the root's call to the last thing that came of it. */
  from: number;
  to: number;
  /** US dollars, root and workers together; null when a price is unknown. */
  cost: number | null;
}

/** What the whole trace comes to. Costs are US dollars, null when a price is unknown. */
interface Totals {
  turns: number;
  dispatches: number;
  cached: number;
  errors: number;
  repeated: number;
  loops: number;
  gates: number;
  compactions: number;
  rootCost: number | null;
  workerCost: number | null;
  /** Milliseconds from the start to the last event. */
  span: number;
  /** The largest turn, for bars: milliseconds and US dollars. */
  longest: number;
  dearest: number;
}

export interface Timeline {
  rows: Row[];
  /** Positions in rows of those that are turns. */
  turns: number[];
  totals: Totals;
  /** The row of the turn that an event belongs to, by event number; the turn's own included. */
  turnOf(seq: number): Row | undefined;
  /** The root's turn of that number. */
  numbered(n: number): Row | undefined;
}

/** How a turn's row is named in addresses: see readPlace. */
export function addressOf(timeline: Timeline, row: Row): string {
  return timeline.numbered(row.number) === row ? String(row.number) : "e" + row.seq;
}

/** add keeps "unknown" unknown: a sum with an unknown part is unknown. */
function add(sum: number | null, part: number | null | undefined): number | null {
  return sum === null || part === null || part === undefined ? null : sum + part;
}

function emptyRow(kind: Row["kind"], t: Trace, i: number): Row {
  const at = t.at_ms[i] ?? 0;
  return {
    kind, seq: t.seq0 + i, node: t.node[i] ?? 0, depth: 0, number: t.turn[i] ?? 0, label: t.label[i] ?? "",
    dispatches: [], dispatched: 0, cells: [], errors: 0, repeated: false, limited: false, synthesis: false, from: at, to: at, cost: 0,
  };
}

/** One loop while it is folded: its rows in order, and its turns by number. */
interface Loop {
  rows: Row[];
  turns: Map<number, Row>;
  first: number;
}

const letters: { [letter: string]: Row["kind"] } = { s: "start", r: "turn", g: "gate", m: "compact", e: "end" };

/** fold reads the columns once and lays the loops out below the turns that began them. */
export function fold(t: Trace): Timeline {
  const loops: (Loop | undefined)[] = [];
  const owners: (Row | undefined)[] = new Array<Row | undefined>(t.kind.length);
  const totals: Totals = {
    turns: 0, dispatches: 0, cached: 0, errors: 0, repeated: 0, loops: 0, gates: 0, compactions: 0,
    rootCost: 0, workerCost: 0, span: 0, longest: 0, dearest: 0,
  };
  for (let i = 0; i < t.kind.length; i++) {
    const node = t.node[i] ?? 0;
    const loop = (loops[node] ??= { rows: [], turns: new Map(), first: i });
    owners[i] = place(t, i, loop, totals);
    totals.span = Math.max(totals.span, t.at_ms[i] ?? 0);
  }
  const rows: Row[] = [];
  layOut(t, loops, rows);
  const turns: number[] = [];
  rows.forEach((row, at) => {
    if (row.kind !== "turn") return;
    turns.push(at);
    totals.longest = Math.max(totals.longest, row.to - row.from);
    totals.dearest = Math.max(totals.dearest, row.cost ?? 0);
  });
  totals.turns = turns.length;
  totals.loops = loops.reduce((n, loop) => n + (loop ? 1 : 0), 0) - (loops[0] ? 1 : 0);
  return { rows, turns, totals, turnOf: (seq) => owners[seq - t.seq0], numbered: (n) => loops[0]?.turns.get(n) };
}

/** place adds an event to its loop and returns the row of its turn, if it has one. */
function place(t: Trace, i: number, loop: Loop, totals: Totals): Row | undefined {
  const flags = t.flags[i] ?? 0;
  const letter = t.kind[i] ?? "";
  const failed = (flags & Flag.error) !== 0;
  if (failed) totals.errors++;
  const kind = letters[letter];
  if (kind) {
    const row = emptyRow(kind, t, i);
    if (kind === "start" && loop.turns.size === 0) return undefined; // every loop begins; to begin again after a turn is news
    loop.rows.push(row);
    if (kind === "gate") totals.gates++;
    if (kind === "compact") totals.compactions++;
    if (kind !== "turn") {
      const owner = loop.turns.get(row.number);
      if (owner && kind === "gate") owner.to = Math.max(owner.to, row.to);
      return owner;
    }
    row.from = Math.max(0, row.to - 1000 * (t.seconds[i] ?? 0));
    row.cost = t.cost_usd[i] ?? null;
    row.errors = failed ? 1 : 0;
    row.synthesis = (flags & Flag.synthesis) !== 0;
    totals.rootCost = add(totals.rootCost, t.cost_usd[i]);
    // The reserved last turn has the number of the one in which the money ended, and nothing belongs to it.
    if (!row.synthesis) loop.turns.set(row.number, row);
    return row;
  }
  const owner = loop.turns.get(t.turn[i] ?? 0);
  if (letter === "d") {
    totals.dispatches++;
    if (flags & Flag.cached) totals.cached++;
    totals.workerCost = add(totals.workerCost, t.cost_usd[i]);
    if (owner) {
      owner.dispatches.push(i);
      owner.dispatched++;
      owner.cost = add(owner.cost, t.cost_usd[i]);
    }
  } else if (letter === "c") {
    // What a turn does is said by its first cell; the reply's own words stand in for it until the cell has run.
    if (owner?.cells.length === 0 && t.label[i]) owner.label = t.label[i];
    owner?.cells.push(i);
    if (flags & Flag.repeated) totals.repeated++;
  }
  if (owner) {
    owner.to = Math.max(owner.to, t.at_ms[i] ?? 0);
    if (failed) owner.errors++;
    if (flags & Flag.repeated) owner.repeated = true;
    if (flags & Flag.limit) owner.limited = true;
  }
  return owner;
}

/** A loop that is being written out. */
interface Level {
  node: number;
  depth: number;
  /** The next of its rows. */
  next: number;
  /** The loops that each of its turns began. */
  below: Map<number, number[]>;
}

/** layOut writes the root's rows, and below each turn the loops that it began. Loops whose turn is missing come last. */
function layOut(t: Trace, loops: (Loop | undefined)[], out: Row[]): void {
  const named = new Map(t.nodes.map((name, node): [string, number] => [name, node]));
  const root = named.get("") ?? 0;
  const children = new Map<number, Map<number, number[]>>();
  const strays: number[] = [];
  loops.forEach((loop, node) => {
    if (!loop || node === root) return;
    const parent = turnOfKey(t.nodes[node] ?? "");
    const above = parent && named.get(parent.node);
    // The name of a loop begins with that of the loop above it: no file can make a circle of them.
    if (parent === undefined || above === undefined || !loops[above]?.turns.has(parent.turn)) strays.push(node);
    else push(within(children, above), parent.turn, node);
  });
  const level = (node: number, depth: number): Level => ({
    node, depth, next: -1, below: children.get(node) ?? new Map<number, number[]>(),
  });
  for (const start of [root, ...strays]) {
    const stack = [level(start, start === root ? 0 : 1)]; // not recursion: a hostile trace nests as deep as it likes
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const loop = loops[top.node];
      if (top.next++ < 0 && top.node !== root) out.push(head(t, loop, top.node, top.depth));
      const row = loop?.rows[top.next];
      if (!row) {
        stack.pop();
        continue;
      }
      row.depth = top.depth;
      out.push(row);
      if (row.kind !== "turn" || loop?.turns.get(row.number) !== row) continue;
      for (const child of top.below.get(row.number)?.toReversed() ?? []) stack.push(level(child, top.depth + 1));
    }
  }
}

function within<K, V>(of: Map<K, Map<number, V>>, key: K): Map<number, V> {
  let found = of.get(key);
  if (!found) of.set(key, (found = new Map<number, V>()));
  return found;
}

function push(to: Map<number, number[]>, key: number, value: number): void {
  const list = to.get(key);
  if (list) list.push(value);
  else to.set(key, [value]);
}

/** head is the line above a child loop. */
function head(t: Trace, loop: Loop | undefined, node: number, depth: number): Row {
  const row = emptyRow("loop", t, loop?.first ?? 0);
  row.node = node;
  row.depth = depth;
  row.label = t.nodes[node] ?? "";
  row.number = loop?.turns.size ?? 0;
  for (const r of loop?.rows ?? []) {
    row.from = Math.min(row.from, r.from);
    row.to = Math.max(row.to, r.to);
    row.errors += r.errors;
    row.dispatched += r.dispatched;
    row.cost = add(row.cost, r.cost);
  }
  return row;
}
