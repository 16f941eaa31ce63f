/** The codebase as directories: what the map and its breadcrumbs are made of. */
import type { FileRow } from "../../documents";
import { severityRank } from "../../kit";

/** A directory, or a file, with what lies in it. */
export interface Node {
  name: string;
  /** From the root, without a slash at the end; "" is the root. */
  path: string;
  lines: number;
  /** Lines that reached a worker, those of them that a usable reply came back for, and those of these that could be judged. */
  dispatched: number;
  answered: number;
  judged: number;
  findings: number;
  /** The rank of the worst severity inside, 0 without a finding. */
  worst: number;
  files: number;
  children: Node[];
  /** Of a file. */
  row?: FileRow;
}

/** Builds the tree. A directory with nothing but one directory in it is drawn as one: "src/main/java". */
export function buildTree(rows: readonly FileRow[]): Node {
  const root = directory("", "");
  const known = new Map<string, Node>([["", root]]);
  const enter = (path: string): Node => {
    const old = known.get(path);
    if (old !== undefined) return old;
    const cut = path.lastIndexOf("/");
    const parent = enter(cut < 0 ? "" : path.slice(0, cut));
    const made = directory(path.slice(cut + 1), path);
    parent.children.push(made);
    known.set(path, made);
    return made;
  };
  for (const row of rows) {
    const cut = row.path.lastIndexOf("/");
    const worst = severityRank(row.worst);
    enter(cut < 0 ? "" : row.path.slice(0, cut)).children.push({
      name: row.path.slice(cut + 1), path: row.path, lines: row.lines, dispatched: row.dispatched, answered: row.answered,
      judged: row.judged, findings: row.findings, worst, files: 1, children: [], row,
    });
  }
  sum(root);
  return root;
}

function directory(name: string, path: string): Node {
  return { name, path, lines: 0, dispatched: 0, answered: 0, judged: 0, findings: 0, worst: 0, files: 0, children: [] };
}

function sum(node: Node): void {
  for (const child of node.children) {
    if (child.row === undefined) sum(child);
    node.lines += child.lines;
    node.dispatched += child.dispatched;
    node.answered += child.answered;
    node.judged += child.judged;
    node.findings += child.findings;
    node.files += child.files;
    node.worst = Math.max(node.worst, child.worst);
  }
  for (let i = 0; i < node.children.length; i++) {
    const child = node.children[i];
    const only = child?.children[0];
    if (child !== undefined && child.row === undefined && child.children.length === 1 && only !== undefined && only.row === undefined) {
      node.children[i] = { ...only, name: child.name + "/" + only.name };
    }
  }
}

/** The directory of that path, or the nearest one above it that there is. */
export function find(root: Node, path: string): Node {
  let at = root;
  for (;;) {
    const next = at.children.find((c) => c.row === undefined && (c.path === path || path.startsWith(c.path + "/")));
    if (next === undefined) return at;
    at = next;
  }
}

/** A file's or directory's share of lines that were reviewed: a worker was sent them, answered and could judge them; 1 of nothing. */
export function share(of: { lines: number; judged: number }): number {
  return of.lines === 0 ? 1 : of.judged / of.lines;
}

/** How many of its lines were answered by a worker that could not judge them: static rules know some languages only. */
export function unjudged(of: { answered: number; judged: number }): number {
  return Math.max(0, of.answered - of.judged);
}

/** How many of its lines a worker was sent without a usable answer. */
export function unanswered(of: { dispatched: number; answered: number }): number {
  return Math.max(0, of.dispatched - of.answered);
}
