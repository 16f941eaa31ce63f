/**
 * The documents that the page shows, the JSON answers to resource paths, and how pages ask for them. types.ts is made from the
 * Go structs that are written. Money is US dollars and null where a price is unknown, never 0. Every string is untrusted text.
 */
export { ProblemBox } from "./problem";
export { PlaceProvider, useAnswer, useDoc, useRun, useSource, type Answer } from "./state";
export { toProblem, type Decision } from "./source";
export type * from "./types";
