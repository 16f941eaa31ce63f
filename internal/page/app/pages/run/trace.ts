/**
 * The trace that a page shows, kept whole while it grows: after the first answer only the events that are new are asked
 * for, so that a live run of 100,000 events does not send them again with each new one.
 */
import { useEffect, useMemo, useState } from "preact/hooks";
import { useDoc, useRun, type Problem, type Trace } from "../../documents";
import { fold, type Timeline } from "./timeline";

/** The trace with what is new appended; undefined when the two do not meet. */
export function joined(old: Trace, more: Trace): Trace | undefined {
  if (more.from !== old.kind.length) return undefined;
  return {
    ...more,
    from: 0,
    seq0: old.seq0,
    started_at: old.started_at,
    kind: old.kind + more.kind,
    turn: old.turn.concat(more.turn),
    node: old.node.concat(more.node),
    at_ms: old.at_ms.concat(more.at_ms),
    seconds: old.seconds.concat(more.seconds),
    cost_usd: old.cost_usd.concat(more.cost_usd),
    flags: old.flags.concat(more.flags),
    label: old.label.concat(more.label),
    tokens_in: old.tokens_in.concat(more.tokens_in),
    tokens_out: old.tokens_out.concat(more.tokens_out),
  };
}

/** What useTrace knows so far. */
interface Told {
  trace?: Trace;
  timeline?: Timeline;
  error?: Problem;
}

/** The trace at a base, "" for a run's own, followed while the run is live. */
export function useTrace(base: string): Told {
  const live = useRun().live;
  const [kept, keep] = useState<{ base: string; trace: Trace } | null>(null);
  const mine = kept?.base === base ? kept.trace : undefined;
  const { doc, error } = useDoc<Trace>(base + "trace" + (live && mine ? `/${mine.kind.length}` : ""));
  useEffect(() => {
    if (doc === undefined) return;
    if (doc.from === 0) keep({ base, trace: doc });
    else if (mine && (doc.kind !== "" || doc.complete !== mine.complete)) {
      const whole = joined(mine, doc);
      if (whole) keep({ base, trace: whole });
    }
  }, [doc]);
  const timeline = useMemo(() => (mine ? fold(mine) : undefined), [mine]);
  return mine ? { trace: mine, timeline } : { error };
}
