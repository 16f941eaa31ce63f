/** Keyboard: each list says what its keys do, and the help on `?` is made of what is said. */
import { useEffect, useRef } from "preact/hooks";

/** Keys and what they do; a key is a KeyboardEvent.key, such as "j" or "Enter". */
export type Keys = { readonly [key: string]: (() => void) | undefined };

interface Layer {
  what: string;
  keys: () => Keys;
  says: () => Says;
}

/** What keys do, in words, for the help; j, k, Enter and the like need none. */
type Says = { readonly [key: string]: string };

const layers: Layer[] = [];

/** The lists that listen now, with their keys: what the help dialog shows. */
export function listening(): { what: string; keys: string[]; says: Says }[] {
  return layers.map((l) => ({
    what: l.what,
    keys: Object.entries(l.keys())
      .filter(([, f]) => f !== undefined)
      .map(([k]) => k),
    says: l.says(),
  }));
}

/** Makes keys work while the caller is shown. The last list that was mounted wins; typing in a field is left alone. */
export function useKeys(keys: Keys, what: string, says: Says = {}): void {
  const latest = useRef({ keys, says });
  latest.current = { keys, says };
  useEffect(() => {
    const layer: Layer = { what, keys: () => latest.current.keys, says: () => latest.current.says };
    layers.push(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, [what]);
}

/** Starts listening; once, at the start of the page. */
export function startKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || withModifier(event)) return;
    if (typing(event.target)) {
      // Out of a search field with the key that leads out of everything, so that j and k work again.
      if (event.key === "Escape") (event.target as HTMLElement).blur();
      return;
    }
    if (document.querySelector("dialog[open]") !== null) return;
    for (let i = layers.length - 1; i >= 0; i--) {
      const act = layers[i]?.keys()[event.key];
      if (act === undefined) continue;
      // Enter and Space on a button or link are that button's.
      if (
        (event.key === "Enter" || event.key === " ") &&
        event.target instanceof Element &&
        event.target.closest("button, a, summary") !== null
      )
        return;
      event.preventDefault();
      act();
      return;
    }
  });
}

/** Whether a key is meant for somebody else. On many keyboards "[" and "]" are typed with AltGr, or with Alt on a Mac. */
export function withModifier(
  e: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey"> & { getModifierState: (key: string) => boolean },
): boolean {
  if (e.metaKey) return true;
  if (e.key === "[" || e.key === "]") return e.ctrlKey && !e.altKey && !e.getModifierState("AltGraph");
  return e.ctrlKey || e.altKey;
}

function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}
