/** A list that draws only the rows in sight: 100,000 rows scroll as 50 do. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Heights } from "./heights";

/** Rows drawn above and below those in sight, so that a quick scroll finds something there. */
const spare = 6;

/**
 * Rows of which only those in sight are drawn. `height` is a row's height in pixels or an estimate of it: drawn rows
 * are measured, and what is in sight stays where it is when rows above turn out higher. It scrolls in its own box,
 * which its class or its parent gives a height. Change `epoch` when the rows are other rows now.
 */
export function Virtual(p: {
  count: number;
  height: number | ((index: number) => number);
  render: (index: number) => ComponentChildren;
  name: string;
  /** The row that is kept in sight when it changes. */
  scrollTo?: number;
  class?: string;
  epoch?: unknown;
}) {
  const box = useRef<HTMLDivElement>(null);
  const estimate = typeof p.height === "number" ? () => p.height as number : p.height;
  const heights = useMemo(() => new Heights(p.count, estimate), [p.count, p.epoch, typeof p.height === "number" ? p.height : 0]);
  const [view, setView] = useState({ top: 0, size: 900 });
  const [, redraw] = useState(0);
  const wanted = useRef<number | undefined>(undefined);

  useLayoutEffect(() => {
    const el = box.current;
    if (el === null) return undefined;
    const follow = () =>
      setView((old) => (old.top === el.scrollTop && old.size === el.clientHeight ? old : { top: el.scrollTop, size: el.clientHeight }));
    follow();
    const observer = new ResizeObserver(follow);
    observer.observe(el);
    el.addEventListener("scroll", follow, { passive: true });
    return () => {
      observer.disconnect();
      el.removeEventListener("scroll", follow);
    };
  }, []);

  useEffect(() => {
    wanted.current = p.scrollTo;
    redraw((n) => n + 1);
  }, [p.scrollTo, p.epoch]); // not when rows come: the reader may have scrolled elsewhere

  const first = Math.max(0, heights.at(view.top) - spare);
  const last = Math.min(p.count, heights.at(view.top + view.size) + 1 + spare);

  // After each drawing: measure what was drawn, keep what is in sight in place, and bring the wanted row into sight.
  useLayoutEffect(() => {
    const el = box.current;
    const rows = el?.querySelector(":scope > .virtual-rows");
    if (el === null || rows == null) return;
    let above = 0;
    let changed = false;
    const top = el.scrollTop;
    for (let i = 0; i < rows.children.length; i++) {
      const index = first + i;
      const before = heights.offset(index) + heights.height(index) <= top;
      const grown = heights.set(index, (rows.children[i] as HTMLElement).getBoundingClientRect().height);
      if (Math.abs(grown) > 0.01) changed = true;
      if (before) above += grown;
    }
    if (above !== 0) el.scrollTop = top + above;
    const target = wanted.current;
    if (target !== undefined && target >= 0 && target < p.count) {
      const from = heights.offset(target);
      const to = from + heights.height(target);
      if (from < el.scrollTop || to > el.scrollTop + el.clientHeight) {
        // A near row comes just into sight, as with the arrow keys; a far one to the upper third.
        const near = target >= first && target < last;
        el.scrollTop = near ? (from < el.scrollTop ? from : to - el.clientHeight) : Math.max(0, from - el.clientHeight / 3);
        changed = true;
      }
      if (target >= first && target < last) wanted.current = undefined;
    }
    if (changed) setView({ top: el.scrollTop, size: el.clientHeight });
  });

  const rows: ComponentChildren[] = [];
  for (let i = first; i < last; i++) {
    rows.push(
      <div key={i} role="listitem" aria-setsize={p.count} aria-posinset={i + 1}>
        {p.render(i)}
      </div>,
    );
  }
  return (
    <div ref={box} class={"virtual" + (p.class ? " " + p.class : "")} tabIndex={0} role="list" aria-label={p.name}>
      <div
        class="virtual-rows" role="presentation"
        style={{ paddingTop: `${heights.offset(first)}px`, paddingBottom: `${Math.max(0, heights.total - heights.offset(last))}px` }}
      >
        {rows}
      </div>
    </div>
  );
}
