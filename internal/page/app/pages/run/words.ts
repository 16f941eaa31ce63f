/** What a trace's short words mean, in sentences. */

const endings: { readonly [reason: string]: string } = {
  answer: "The root handed in its answer",
  turns: "The root used up its turns without handing in an answer",
  budget: "The budget was spent; the reserved last turn wrote the report",
  interrupted: "Interrupted; deeprepo resume continues it",
  // An eval's words, which are verifiers'.
  episode_done: "The policy handed in its answer",
  max_turns_reached: "The policy used up its turns without handing in an answer",
  has_error: "The policy's model failed",
  budget_exhausted: "The rollout's budget was spent",
};

/** Why a trace ended. A reason that has no word of its own is a sentence already. */
export function ending(reason: string): string {
  return (Object.hasOwn(endings, reason) ? endings[reason] : undefined) ?? reason;
}

const limits: { readonly [stop: string]: string } = {
  steps: "stopped at its limit of Python steps",
  wall: "stopped at its time limit",
  memory: "stopped at its memory limit",
  killed: "stopped: it ended the interpreter",
};

/** Which limit ended a cell. */
export function limit(stop: string): string {
  return (Object.hasOwn(limits, stop) ? limits[stop] : undefined) ?? "stopped: " + stop;
}
