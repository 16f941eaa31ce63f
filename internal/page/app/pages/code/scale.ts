/** The two scales that the map can be coloured by: steps that differ in lightness, so that they differ to every eye. */
import { share, unanswered, unjudged, type Node } from "./tree";

/** What the map's colours say. */
export type Shade = "coverage" | "findings";

/** One step of a scale. */
interface Step {
  /** The class of its rectangles. */
  key: string;
  title: string;
}

/** How much of a file was reviewed. "Not seen", "sent, not answered" and "read, not judged" have patterns: no colour says it alone. */
export const coverageSteps: readonly Step[] = [
  { key: "c0", title: "not seen" },
  { key: "cu", title: "sent, not answered" },
  { key: "cj", title: "read, not judged" },
  { key: "c1", title: "under half" },
  { key: "c2", title: "under 90%" },
  { key: "c3", title: "nearly all" },
  { key: "c4", title: "all of it" },
];

/** The worst finding in a file. */
export const findingSteps: readonly Step[] = [
  { key: "s0", title: "no finding" },
  { key: "s1", title: "info" },
  { key: "s2", title: "low" },
  { key: "s3", title: "medium" },
  { key: "s4", title: "high" },
  { key: "s5", title: "critical" },
];

/** What the map shows until the reader chooses: findings, once coverage is as good as full and there is little left to tell of it. */
export function firstShade(root: Node): Shade {
  return root.findings > 0 && root.lines > 0 && share(root) >= 0.99 ? "findings" : "coverage";
}

/** The step of a file or directory. */
export function stepOf(node: Node, shade: Shade): string {
  if (shade === "findings") return "s" + node.worst;
  const part = share(node);
  if (part >= 0.999) return "c4";
  if (part <= 0) return unanswered(node) > 0 ? "cu" : unjudged(node) > 0 ? "cj" : "c0";
  return part < 0.5 ? "c1" : part < 0.9 ? "c2" : "c3";
}
