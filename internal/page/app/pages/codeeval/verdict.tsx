/** Verdicts: their letters, names and colours; a letter is always there beside the colour. */
import { Badge, plural } from "../../kit";

type Tone = "good" | "warn" | "bad" | "plain";

interface Verdict {
  letter: string;
  /** As the files say it; "" for what is no verdict. */
  key: string;
  name: string;
  tone: Tone;
}

/** All verdicts, in the order in which they are counted. */
export const verdicts: readonly Verdict[] = [
  { letter: "p", key: "passed", name: "passed", tone: "good" },
  { letter: "f", key: "failed", name: "failed", tone: "bad" },
  { letter: "s", key: "syntax_error", name: "syntax error", tone: "bad" },
  { letter: "n", key: "no_entry_point", name: "no entry point", tone: "bad" },
  { letter: "e", key: "empty", name: "empty", tone: "bad" },
  { letter: "t", key: "timeout", name: "timeout", tone: "bad" },
  { letter: "m", key: "memory", name: "memory", tone: "bad" },
  { letter: "i", key: "infra_error", name: "infra error", tone: "warn" },
  { letter: ".", key: "", name: "not judged yet", tone: "plain" },
  { letter: "?", key: "?", name: "another verdict", tone: "warn" },
];

const byLetter = new Map(verdicts.map((v) => [v.letter, v]));
const byKey = new Map(verdicts.map((v) => [v.key, v]));

/** A verdict as the files name it. */
export function VerdictBadge(p: { verdict: string }) {
  const v = byKey.get(p.verdict);
  return <Badge tone={v?.tone ?? "warn"}>{v?.name ?? p.verdict.replaceAll("_", " ")}</Badge>;
}

/** Verdicts of a task's samples as counts: "3 passed, 1 timeout". */
export function inWords(letters: string): string {
  const parts = verdicts.map((v) => [letters.split(v.letter).length - 1, v.name] as const).filter(([n]) => n > 0);
  return parts.map(([n, name]) => `${n} ${name}`).join(", ") || "no sample";
}

/** Samples above which a strip shows shares instead of single samples. */
const mostSquares = 32;

/** A square a sample; of very many samples a bar of their shares. */
export function VerdictStrip(p: { letters: string; selected?: number; onSelect?: (sample: number) => void }) {
  if (p.letters.replaceAll("-", "") === "") return <span class="muted">no sample</span>;
  if (p.letters.length === 1 && p.onSelect === undefined) {
    const v = byLetter.get(p.letters);
    return <Badge tone={v?.tone ?? "warn"}>{v?.name ?? p.letters}</Badge>;
  }
  if (p.letters.length > mostSquares && p.onSelect === undefined) {
    return <Shares counts={verdicts.map((v) => ({ verdict: v, n: p.letters.split(v.letter).length - 1 }))} label={inWords(p.letters)} />;
  }
  const squares = [...p.letters].map((letter, i) => {
    const v = byLetter.get(letter);
    const tone = "square tone-" + (v?.tone ?? "none");
    const title = `sample ${i}: ${v?.name ?? "none"}`;
    if (p.onSelect === undefined || letter === "-") return <span key={i} class={tone} title={title} aria-hidden="true">{letter}</span>;
    return (
      <button
        key={i} type="button" class={tone} title={title} aria-label={title} aria-pressed={i === p.selected} onClick={() => p.onSelect?.(i)}
      >
        {letter}
      </button>
    );
  });
  if (p.onSelect !== undefined) return <span class="squares" role="group" aria-label={plural(p.letters.length, "sample")}>{squares}</span>;
  return <span class="squares" role="img" aria-label={inWords(p.letters)}>{squares}</span>;
}

/** A bar of shares. */
function Shares(p: { counts: readonly { verdict: Verdict; n: number }[]; label: string }) {
  return (
    <span class="shares" role="img" aria-label={p.label} title={p.label}>
      {p.counts
        .filter((c) => c.n > 0)
        .map((c) => (
          <span key={c.verdict.letter} class={"tone-" + c.verdict.tone} style={{ flexGrow: c.n }} />
        ))}
    </span>
  );
}
