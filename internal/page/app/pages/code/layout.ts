/** A squarified treemap: rectangles whose areas are lines of code, directories as frames around their files. */
import type { Node } from "./tree";

/** A rectangle of the map, in pixels. */
export interface Box {
  node: Node;
  x: number;
  y: number;
  w: number;
  h: number;
  depth: number;
  /** Whether it is a directory drawn as a frame with its name in the upper edge. */
  frame: boolean;
}

/** The height of a directory's name. */
export const head = 17;
const gap = 1;
const smallest = 2.5;

/** Lays out what is in a directory. Boxes come outer ones first; what would be too small to see is left out. */
export function layout(root: Node, width: number, height: number): Box[] {
  const boxes: Box[] = [];
  if (width > 0 && height > 0) fill(root, 0, 0, width, height, 0, boxes);
  return boxes;
}

/** Lines of a node as they count for its area: an empty file still has a place. */
function weight(node: Node): number {
  return Math.max(1, node.lines);
}

function fill(dir: Node, x: number, y: number, w: number, h: number, depth: number, boxes: Box[]): void {
  const children = [...dir.children].sort((a, b) => weight(b) - weight(a) || (a.path < b.path ? -1 : 1));
  squarify(children, x, y, w, h, (node, bx, by, bw, bh) => {
    if (bw < smallest || bh < smallest) return;
    const frame = node.row === undefined && bw > 36 && bh > head + 12;
    boxes.push({ node, x: bx, y: by, w: bw - gap, h: bh - gap, depth, frame });
    if (frame) fill(node, bx + 2, by + head, bw - gap - 4, bh - gap - head - 2, depth + 1, boxes);
  });
}

/** Divides an area among nodes, largest first, so that the rectangles are as near to squares as they can be (Bruls and others, 2000). */
function squarify(
  nodes: readonly Node[], x: number, y: number, w: number, h: number,
  place: (node: Node, x: number, y: number, w: number, h: number) => void,
): void {
  let left = nodes.reduce((sum, n) => sum + weight(n), 0);
  let from = 0;
  while (from < nodes.length && w > 0 && h > 0) {
    const scale = (w * h) / left;
    const side = Math.min(w, h);
    let to = from;
    let row = 0;
    let worst = Infinity;
    // The row grows while its worst rectangle becomes no longer.
    for (; to < nodes.length; to++) {
      const largest = weight(nodes[from] as Node);
      const next = weight(nodes[to] as Node);
      const total = (row + next) * scale;
      const ratio = Math.max((side * side * largest * scale) / (total * total), (total * total) / (side * side * next * scale));
      if (ratio > worst) break;
      worst = ratio;
      row += next;
    }
    const thickness = Math.min((row * scale) / side, Math.max(w, h));
    let at = 0;
    for (let i = from; i < to; i++) {
      const node = nodes[i] as Node;
      const length = (weight(node) / row) * side;
      if (w >= h) place(node, x, y + at, thickness, length);
      else place(node, x + at, y, length, thickness);
      at += length;
    }
    if (w >= h) {
      x += thickness;
      w -= thickness;
    } else {
      y += thickness;
      h -= thickness;
    }
    left -= row;
    from = to;
  }
}

/** The box nearest to `from` in a direction, among those that can be chosen. */
export function neighbour(boxes: readonly Box[], from: Box, dx: number, dy: number): Box | undefined {
  const cx = from.x + from.w / 2;
  const cy = from.y + from.h / 2;
  let best: Box | undefined;
  let least = Infinity;
  for (const box of boxes) {
    if (box === from) continue;
    const bx = box.x + box.w / 2 - cx;
    const by = box.y + box.h / 2 - cy;
    const along = bx * dx + by * dy;
    if (along <= 0) continue;
    // What lies aside counts against a box, so that the arrows go straight where they can.
    const aside = Math.max(
      0,
      dx !== 0
        ? Math.max(from.y - (box.y + box.h), box.y - (from.y + from.h))
        : Math.max(from.x - (box.x + box.w), box.x - (from.x + from.w)),
    );
    const off = Math.abs(dx !== 0 ? by : bx);
    const far = along + 4 * aside + 0.5 * off;
    if (far < least) {
      least = far;
      best = box;
    }
  }
  return best;
}
