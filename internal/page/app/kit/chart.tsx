/** What every chart has around its drawing: title, legend, a text for those who do not see it, and the two exports. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { download } from "./download";
import { titled } from "./frame";
import { paint, toSVG, type Palette, type Scene } from "./scene";

/** The colours as the page shows them now. */
export function pagePalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  return (token) => style.getPropertyValue("--" + token).trim() || "#888888";
}

/** The width of an element, followed as it changes; 0 before it is known. */
export function useWidth<E extends HTMLElement>(): [{ current: E | null }, number] {
  const ref = useRef<E>(null);
  const [width, set] = useState(0);
  useLayoutEffect(() => {
    const el = ref.current;
    if (el === null) return undefined;
    const measure = () => set(Math.floor(el.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(el);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

/** Counts changes of the theme, for what is drawn on a canvas. */
export function useThemeChanges(): number {
  const [n, set] = useState(0);
  useEffect(() => {
    const changed = () => set((old) => old + 1);
    addEventListener("themechange", changed);
    return () => removeEventListener("themechange", changed);
  }, []);
  return n;
}

/** A figure. `scene` draws it for a width in pixels; `children` are what the page shows. */
export function Chart(p: {
  name: string;
  title: string;
  legend: readonly { name: string; color: string; hidden?: boolean }[];
  onLegend?: (index: number) => void;
  scene: (width: number) => Scene;
  children: ComponentChildren;
}) {
  const exported = () => titled(p.scene(900), p.title, p.legend.filter((l) => !l.hidden));
  const png = () => {
    const scene = exported();
    const canvas = document.createElement("canvas");
    const density = 2;
    canvas.width = scene.width * density;
    canvas.height = scene.height * density;
    const ctx = canvas.getContext("2d");
    if (ctx === null) return;
    ctx.scale(density, density);
    paint(scene, ctx, pagePalette());
    canvas.toBlob((blob) => blob && download(p.name + ".png", "image/png", blob), "image/png");
  };
  return (
    <figure class="chart" aria-label={p.title}>
      <div class="chart-head">
        <figcaption>{p.title}</figcaption>
        <div class="chart-tools">
          <button type="button" class="button small quiet" aria-label={`${p.title} as PNG`} onClick={png}>PNG</button>
          <button
            type="button" class="button small quiet" aria-label={`${p.title} as SVG`}
            onClick={() => download(p.name + ".svg", "image/svg+xml", toSVG(exported(), pagePalette()))}
          >
            SVG
          </button>
        </div>
      </div>
      {p.legend.length > 1 ? (
        <ul class="legend">
          {p.legend.map((l, i) => (
            <li key={l.name}>
              {p.onLegend ? (
                <button type="button" aria-pressed={!l.hidden} onClick={() => p.onLegend?.(i)}>
                  <Key color={l.color} />
                  {l.name}
                </button>
              ) : (
                <>
                  <Key color={l.color} />
                  {l.name}
                </>
              )}
            </li>
          ))}
        </ul>
      ) : null}
      {p.children}
    </figure>
  );
}

/** A colour of a legend. */
export function Key(p: { color: string }) {
  return <span class="legend-key" style={{ background: `var(--${p.color})` }} />;
}

/**
 * A scene as SVG in the page. Shapes with a title show it under the pointer; those with an href are links. `stretch` has it as wide as
 * there is room, and no higher.
 */
export function SceneView(p: { scene: Scene; label: string; stretch?: boolean }) {
  const { scene } = p;
  return (
    <svg
      class={p.stretch ? "scene stretch" : "scene"} role="img" aria-label={p.label} width={scene.width} height={scene.height}
      viewBox={`0 0 ${scene.width} ${scene.height}`} preserveAspectRatio={p.stretch ? "none" : undefined}
    >
      {scene.shapes.map((s, i) => {
        const drawn = draw(s, i);
        return s.href === undefined || !s.href.startsWith("#") ? drawn : <a key={i} href={s.href} aria-label={s.title}>{drawn}</a>;
      })}
    </svg>
  );
}

function draw(s: Scene["shapes"][number], key: number) {
  const color = `var(--${s.color})`;
  const title = s.title === undefined ? null : <title>{s.title}</title>;
  switch (s.kind) {
    case "line":
      return (
        <polyline
          key={key} points={s.points.map((q) => q.join(",")).join(" ")} fill="none" stroke={color} stroke-width={s.width}
          stroke-dasharray={s.dash ? "4 3" : undefined}
        >
          {title}
        </polyline>
      );
    case "area":
      return <polygon key={key} points={s.points.map((q) => q.join(",")).join(" ")} fill={color} fill-opacity={s.opacity}>{title}</polygon>;
    case "rect":
      return (
        <rect
          key={key} x={s.x} y={s.y} width={Math.max(0, s.w)} height={Math.max(0, s.h)} fill={color} fill-opacity={s.opacity}
          stroke={s.outline ? `var(--${s.outline})` : undefined}
        >
          {title}
        </rect>
      );
    case "dot":
      return (
        <circle
          key={key} cx={s.x} cy={s.y} r={s.r} fill={s.hollow ? "var(--bg)" : color} fill-opacity={s.opacity}
          stroke={s.hollow ? color : undefined} stroke-width={s.hollow ? 1.5 : undefined}
        >
          {title}
        </circle>
      );
    case "text":
      return (
        <text
          key={key} x={s.x} y={s.y} fill={color} font-size={s.size ?? 11} font-weight={s.bold ? 600 : undefined}
          text-anchor={s.anchor ?? "start"} transform={s.upward ? `rotate(-90 ${s.x} ${s.y})` : undefined}
        >
          {title}
          {s.text}
        </text>
      );
  }
}
