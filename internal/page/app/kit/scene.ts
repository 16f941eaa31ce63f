/**
 * A drawing as data: what a chart shows, told once, then drawn as SVG on the page, as an SVG file or on a canvas for
 * a PNG. Colours are names of tokens in app.css ("series-1", "text-muted"); who draws gives them their values.
 */

/** One mark. Coordinates are pixels from the upper left corner. */
export type Shape = (
  | { kind: "line"; points: readonly (readonly [number, number])[]; color: string; width: number; dash?: boolean }
  | { kind: "area"; points: readonly (readonly [number, number])[]; color: string; opacity: number }
  | { kind: "rect"; x: number; y: number; w: number; h: number; color: string; opacity?: number; outline?: string }
  | { kind: "dot"; x: number; y: number; r: number; color: string; opacity?: number; hollow?: boolean }
  | {
      kind: "text"; x: number; y: number; text: string; color: string; size?: number; anchor?: "start" | "middle" | "end"; bold?: boolean;
      upward?: boolean;
    }
) & { title?: string; href?: string };

/** A drawing and its size in pixels. */
export interface Scene {
  width: number;
  height: number;
  shapes: Shape[];
}

/** The value of a colour token. */
export type Palette = (token: string) => string;

/** The width that a text takes, near enough to lay out by. */
export function textWidth(text: string, size = 11): number {
  return text.length * size * 0.56;
}

/** A text cut to a width. */
export function fit(text: string, width: number, size = 11): string {
  const most = Math.floor(width / (size * 0.56));
  return text.length <= most ? text : most <= 1 ? "" : text.slice(0, most - 1) + "…";
}

const font = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** The drawing as an SVG file. */
export function toSVG(scene: Scene, palette: Palette): string {
  const parts = scene.shapes.map((s) => {
    switch (s.kind) {
      case "line":
        return element("polyline", {
          points: points(s.points), fill: "none", stroke: palette(s.color), "stroke-width": s.width,
          "stroke-dasharray": s.dash ? "4 3" : undefined,
        });
      case "area":
        return element("polygon", { points: points(s.points), fill: palette(s.color), "fill-opacity": s.opacity });
      case "rect":
        return element("rect", {
          x: round(s.x), y: round(s.y), width: round(Math.max(0, s.w)), height: round(Math.max(0, s.h)), fill: palette(s.color),
          "fill-opacity": s.opacity, stroke: s.outline ? palette(s.outline) : undefined,
        });
      case "dot":
        return element("circle", {
          cx: round(s.x), cy: round(s.y), r: s.r,
          ...(s.hollow
            ? { fill: palette("bg"), stroke: palette(s.color), "stroke-width": 1.5 }
            : { fill: palette(s.color), "fill-opacity": s.opacity }),
        });
      case "text": {
        const at = {
          x: round(s.x), y: round(s.y), fill: palette(s.color), "font-size": s.size ?? 11, "text-anchor": s.anchor ?? "start",
          "font-weight": s.bold ? 600 : undefined, transform: s.upward ? `rotate(-90 ${round(s.x)} ${round(s.y)})` : undefined,
        };
        return element("text", at, escape(s.text));
      }
    }
  });
  const { width, height } = scene;
  const ground = element("rect", { width: "100%", height: "100%", fill: palette("bg") });
  const frame = { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": font };
  return element("svg", frame, ground + parts.join("")) + "\n";
}

/** Draws on a canvas whose pixels are CSS pixels. */
export function paint(scene: Scene, ctx: CanvasRenderingContext2D, palette: Palette): void {
  ctx.fillStyle = palette("bg");
  ctx.fillRect(0, 0, scene.width, scene.height);
  for (const s of scene.shapes) {
    ctx.globalAlpha = "opacity" in s ? (s.opacity ?? 1) : 1;
    ctx.fillStyle = ctx.strokeStyle = palette(s.color);
    ctx.setLineDash(s.kind === "line" && s.dash ? [4, 3] : []);
    switch (s.kind) {
      case "line":
        ctx.lineWidth = s.width;
        trace(ctx, s.points);
        ctx.stroke();
        break;
      case "area":
        trace(ctx, s.points);
        ctx.fill();
        break;
      case "rect":
        ctx.fillRect(s.x, s.y, Math.max(0, s.w), Math.max(0, s.h));
        if (s.outline !== undefined) {
          ctx.strokeStyle = palette(s.outline);
          ctx.lineWidth = 1;
          ctx.strokeRect(s.x, s.y, Math.max(0, s.w), Math.max(0, s.h));
        }
        break;
      case "dot":
        ctx.beginPath();
        ctx.arc(s.x, s.y, s.r, 0, 2 * Math.PI);
        if (s.hollow) {
          ctx.fillStyle = palette("bg");
          ctx.lineWidth = 1.5;
          ctx.fill();
          ctx.stroke();
        } else ctx.fill();
        break;
      case "text":
        ctx.save();
        ctx.font = `${s.bold ? "600 " : ""}${s.size ?? 11}px ${font}`;
        ctx.textAlign = s.anchor === "middle" ? "center" : s.anchor === "end" ? "right" : "left";
        ctx.translate(s.x, s.y);
        if (s.upward) ctx.rotate(-Math.PI / 2);
        ctx.fillText(s.text, 0, 0);
        ctx.restore();
        break;
    }
  }
  ctx.globalAlpha = 1;
}

function trace(ctx: CanvasRenderingContext2D, points: readonly (readonly [number, number])[]): void {
  ctx.beginPath();
  points.forEach(([x, y], i) => (i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
}

function points(all: readonly (readonly [number, number])[]): string {
  return all.map(([x, y]) => `${round(x)},${round(y)}`).join(" ");
}

/** An element of SVG; attributes that are undefined are left out, and what it holds is written as it is. */
function element(name: string, attributes: { readonly [name: string]: string | number | undefined }, inner?: string): string {
  const all = Object.entries(attributes).map(([key, v]) => (v === undefined ? "" : ` ${key}="${escape(String(v))}"`));
  return `<${name}${all.join("")}${inner === undefined ? "/>" : `>${inner}</${name}>`}`;
}

function round(n: number): number {
  return Number.isFinite(n) ? Math.round(n * 100) / 100 : 0;
}

function escape(text: string): string {
  // XML has no word for most control characters: they are left out.
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "").replace(/[&<>"']/g, (ch) => `&#${ch.charCodeAt(0)};`);
}
