/**
 * Addresses within a trace, as they stand behind the link of its page: TURN, TURN/cell/SEQ, TURN/dispatch/SEQ. TURN is the number
 * of a turn of the root, or "e" and the number of any event of a turn, which is how turns of child loops are named.
 */

/** What an address names; but for the turn's, all numbers are those of events. */
export interface Place {
  turn?: number;
  event?: number;
  cell?: number;
  dispatch?: number;
  /** What stands where a turn should, and is none. */
  unknown?: string;
}

/** Reads an address. */
export function readPlace(rest: readonly string[]): Place {
  const place: Place = {};
  const name = rest[0];
  if (name === undefined) return place;
  const turn = eventNumber(name);
  const event = name.startsWith("e") ? eventNumber(name.slice(1)) : undefined;
  if (turn !== undefined) place.turn = turn;
  else if (event !== undefined) place.event = event;
  else return { unknown: name };
  const part = eventNumber(rest[2]);
  if (rest[1] === "cell") place.cell = part;
  if (rest[1] === "dispatch") place.dispatch = part;
  return place;
}

function eventNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The loop and the number of the turn that made a call, read from the call's key: "t002.c01.d001.0004" or "KEY/t001...". */
export function turnOfKey(key: string): { node: string; turn: number } | undefined {
  const slash = key.lastIndexOf("/");
  const turn = /^t(\d{1,9})\./.exec(key.slice(slash + 1))?.[1];
  return turn === undefined ? undefined : { node: slash < 0 ? "" : key.slice(0, slash), turn: Number(turn) };
}
