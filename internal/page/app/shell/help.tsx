/** What the keys do: of the lists that are shown now, and everywhere. */
import { useEffect, useRef } from "preact/hooks";
import { listening } from "../kit/keys";

const meanings: { [key: string]: string } = {
  j: "next", k: "previous", Enter: "open what is chosen", "/": "search", "?": "this help", Escape: "back, or close", n: "next",
  p: "previous",
};

/** The dialog on `?`. */
export function Help(p: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const el = dialog.current;
    el?.showModal();
    return () => el?.close();
  }, []);
  const layers = listening().filter((l) => l.keys.length > 0);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={p.onClose} onClick={(e) => e.target === dialog.current && p.onClose()}>
      <div class="dialog-head">
        <h2 id="help-title">Keys</h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={p.onClose}>✕</button>
      </div>
      <div class="dialog-body">
        {layers.map((layer) => (
          <section key={layer.what}>
            <h3>{layer.what}</h3>
            <dl class="keys">
              {grouped(layer.keys, layer.says).map(({ keys, meaning }) => (
                <div key={keys.join()} class="keys-row">
                  <dt>{keys.map((k, i) => <span key={k}>{i > 0 ? "– " : ""}<kbd>{shown(k)}</kbd></span>)}</dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <h3>Tables and charts</h3>
        <p>
          Click a header to sort; a third click restores the order. In a focused chart the arrow keys read the values; drag to zoom in,
          double-click to see all.
        </p>
      </div>
    </dialog>
  );
}

const signs: { readonly [key: string]: string } = {
  ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "Space", Escape: "Esc",
};

function shown(key: string): string {
  return signs[key] ?? key;
}

/** Digits are told as one row: the sections, in their order. */
function grouped(keys: readonly string[], says: { readonly [key: string]: string }): { keys: string[]; meaning: string }[] {
  const digits = keys.filter((k) => /^\d$/.test(k));
  const rows = keys.filter((k) => !digits.includes(k)).map((k) => ({ keys: [k], meaning: says[k] ?? meanings[k] ?? k }));
  const ends = digits.length > 1 ? [digits[0]!, digits[digits.length - 1]!] : digits;
  return digits.length === 0 ? rows : [...rows, { keys: ends, meaning: "the sections of the run, in their order" }];
}
