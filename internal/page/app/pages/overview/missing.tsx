/** What a run lacks, in its first lines: a run that is not complete must look like it. */
import type { Run } from "../../documents";
import { Visible } from "../../kit";

const tones: { readonly [status: string]: string } = { partial: "warn", failed: "bad" };

/** How the run ended and every shortfall; nothing for a run that lacks nothing. Of a run at work it is what an earlier end lacked. */
export function Missing(p: { run: Run }) {
  const { run } = p;
  const shortfalls = run.shortfalls ?? [];
  const tone = tones[run.status];
  if (tone === undefined && shortfalls.length === 0) return null;
  const ended = run.ended ?? (tone === undefined ? "" : `This run is ${run.status}: something that was asked for may be missing.`);
  const earlier = run.live && ended !== "" ? "The review is running again. It had ended before: " : "";
  return (
    <section class={"missing missing-" + (tone ?? "plain")} aria-label="What is missing">
      {ended ? <p class="missing-title">{earlier}<Visible text={ended} /></p> : null}
      {shortfalls.length > 0 ? (
        <ul>
          {shortfalls.map((s, i) => <li key={i}><Visible text={s.text} /></li>)}
        </ul>
      ) : null}
      {run.hint && !run.problem ? <p><Visible text={run.hint.charAt(0).toUpperCase() + run.hint.slice(1)} /></p> : null}
    </section>
  );
}
