/** Addresses within a trace, as they stand behind the link of its page: SEQ, SEQ/cell/SEQ, SEQ/dispatch/SEQ. */

/** What an address names; all numbers are those of events. */
export interface Place {
  turn?: number;
  cell?: number;
  dispatch?: number;
}

/** Reads an address. What is no number of an event is left out. */
export function readPlace(rest: readonly string[]): Place {
  const place: Place = {};
  const turn = eventNumber(rest[0]);
  if (turn === undefined) return place;
  place.turn = turn;
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
