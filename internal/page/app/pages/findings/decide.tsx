/** Deciding about a finding, where the server lets the reader: what `deeprepo triage` does. */
import { useState } from "preact/hooks";
import {
  ProblemBox, toProblem, useDoc, useRun, useSource, type Decisions, type Finding, type Problem, type Triage,
} from "../../documents";
import { Visible } from "../../kit";
import { decided, states } from "./aside";

/** Which findings have a decision now, and how to decide; null where the reader may not. */
export interface Deciding {
  of: (f: Finding) => Triage | undefined;
  decide: (f: Finding, state: string, reason: string, until: string) => Promise<void>;
  file: string;
}

/** Asks the server whether the reader may decide. */
export function useDeciding(): Deciding | null {
  const source = useSource();
  const run = useRun();
  const { doc } = useDoc<Decisions>(source.single ? null : "triage");
  const [newer, keep] = useState<Decisions | null>(null);
  const now = newer ?? doc;
  if (now === undefined || !now.allowed) return null;
  return {
    of: (f) => (Object.hasOwn(now.findings, f.id) ? now.findings[f.id] : undefined),
    decide: async (f, state, reason, until) => keep(await source.decide(run.id, { finding: f.id, state, reason, until })),
    file: now.file ?? "",
  };
}

/** Whether a finding is one that can be decided about: it counts, or only a decision keeps it from counting. */
export function decidable(f: Finding, counts: boolean): boolean {
  return counts || f.by === "triage";
}

/** The buttons, the reason that a decision needs, and the day until which it holds. */
export function Decide(p: { finding: Finding; deciding: Deciding }) {
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const now = p.deciding.of(p.finding);
  const decide = async (state: string) => {
    setBusy(true);
    setProblem(null);
    try {
      await p.deciding.decide(p.finding, state, reason, until);
      setReason("");
      setUntil("");
    } catch (thrown) {
      setProblem(toProblem(thrown));
    }
    setBusy(false);
  };
  const open = now === undefined || now.state === "open";
  return (
    <section class="detail-part decide" aria-label="Decide">
      <h3>Decide</h3>
      {now ? <p role="status"><Visible text={`Now ${decided(now)}${now.reason ? ": " + now.reason : ""}`} /></p> : null}
      <p class="decide-fields">
        <label class="grow">
          Reason <input type="text" value={reason} maxLength={2000} onInput={(e) => setReason(e.currentTarget.value)} />
        </label>
        <label>Until <input type="date" value={until} onInput={(e) => setUntil(e.currentTarget.value)} /></label>
      </p>
      <div class="buttons">
        {Object.entries(states).filter(([state]) => state !== (open ? "open" : "")).map(([state, words]) => (
          <button
            key={state} type="button" class="button small" disabled={busy || reason.trim() === ""} aria-pressed={now?.state === state}
            onClick={() => void decide(state)}
          >
            {words}
          </button>
        ))}
      </div>
      {problem ? <ProblemBox problem={problem} /> : null}
      <p class="muted small">Written into <span class="mono"><Visible text={p.deciding.file} /></span>; later reviews go by it.</p>
    </section>
  );
}
