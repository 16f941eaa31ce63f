/** A list that draws only the rows in sight. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows of which only those in sight are drawn; `height` is a row's height in pixels, or an estimate of it. */
export function Virtual(p: {
  count: number;
  height: number | ((index: number) => number);
  render: (index: number) => ComponentChildren;
  name: string;
  /** The row that is kept in sight. */
  scrollTo?: number;
  class?: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [view, set] = useState({ top: 0, size: 800 });
  const height = typeof p.height === "number" ? p.height : p.count > 0 ? p.height(0) : 1;
  useLayoutEffect(() => {
    const el = box.current;
    if (el !== null) set({ top: el.scrollTop, size: el.clientHeight });
  }, []);
  useEffect(() => {
    const el = box.current;
    if (el === null || p.scrollTo === undefined) return;
    const top = p.scrollTo * height;
    if (top < el.scrollTop || top + height > el.scrollTop + el.clientHeight) el.scrollTop = Math.max(0, top - el.clientHeight / 3);
  }, [p.scrollTo]);
  const first = Math.max(0, Math.floor(view.top / height) - 8);
  const last = Math.min(p.count, Math.ceil((view.top + view.size) / height) + 8);
  const rows: ComponentChildren[] = [];
  for (let i = first; i < last; i++) {
    rows.push(
      <div key={i} role="listitem" aria-setsize={p.count} aria-posinset={i + 1}>
        {p.render(i)}
      </div>,
    );
  }
  return (
    <div ref={box} class={"virtual " + (p.class ?? "")} tabIndex={0} role="list" aria-label={p.name} onScroll={(e) => set({ top: e.currentTarget.scrollTop, size: e.currentTarget.clientHeight })}>
      <div style={{ height: `${first * height}px` }} role="presentation" />
      {rows}
      <div style={{ height: `${(p.count - last) * height}px` }} role="presentation" />
    </div>
  );
}
