/** What a second reader came to: of one finding, and of all. */
import type { Finding, SecondLook } from "../../documents";
import { Badge, Code, count, Fact, href, Visible } from "../../kit";
import { languageOfPath } from "../../kit/languages";

/** What the second look at all findings came to, in a sentence. */
export function secondSentence(v: SecondLook): string {
  const by = v.verifier || "a second reader";
  if (v.stands + v.partly + v.by_design + v.unsure + v.refuted === 0 && v.unverified > 0)
    return `The findings were not verified (${count(v.unverified)}).`;
  const parts = [`${by} tried to refute each finding: ${count(v.stands)} ${v.stands === 1 ? "stands" : "stand"}`];
  if (v.partly > 0) parts.push(`${count(v.partly)} partly true`);
  if (v.by_design > 0) parts.push(`${count(v.by_design)} documented as meant`);
  if (v.unsure > 0) parts.push(`${count(v.unsure)} doubted without proof`);
  if (v.refuted > 0) parts.push(`${count(v.refuted)} refuted`);
  if (v.unverified > 0) parts.push(`${count(v.unverified)} not verified`);
  return parts.join(", ") + ".";
}

const words: { readonly [status: string]: { title: string; tone: "good" | "warn" | "bad" | "plain" } } = {
  stands: { title: "stands", tone: "good" },
  partly: { title: "partly true", tone: "warn" },
  by_design: { title: "documented as meant", tone: "warn" },
  unsure: { title: "doubted", tone: "warn" },
  refuted: { title: "refuted", tone: "bad" },
  unverified: { title: "not verified", tone: "plain" },
};

/** What the second look at a finding came to, with the check that ran, where one did. */
export function Second(p: { finding: Finding }) {
  const v = p.finding.verification;
  if (v === undefined) return null;
  const word = words[v.status] ?? { title: v.status, tone: "plain" };
  return (
    <section class="detail-part">
      <h3>
        Second look <Badge tone={word.tone}>{word.title}</Badge>
      </h3>
      {v.reason ? <p><Visible text={v.reason} /></p> : null}
      <dl class="facts">
        {v.by ? <Fact name="by">{v.by === "claims" ? "a check of its own claim" : <Visible text={v.by} />}</Fact> : null}
        {v.claimed_confidence === undefined ? null : <Fact name="confidence before">{v.claimed_confidence.toFixed(2)}</Fact>}
        {v.claims ? (
          <Fact name="checkable claims">
            {count(v.claims.supported)} supported, {count(v.claims.contradicted)} contradicted,{" "}
            {count(v.claims.not_checkable)} not checkable
          </Fact>
        ) : null}
      </dl>
      {v.proof && !p.finding.proof ? (
        <>
          <p>
            Decided by{" "}
            <a class="mono" href={href("code/file/" + v.proof.file, { line: v.proof.line })}>
              <Visible text={`${v.proof.file}:${v.proof.line}`} />
            </a>
          </p>
          <Code text={v.proof.quote} from={Math.max(1, v.proof.line)} language={languageOfPath(v.proof.file)} name="What decides" />
        </>
      ) : null}
      {v.execution ? (
        <>
          <p>
            Demonstrated by execution: the verifier's check below passes with{" "}
            <code>
              <Visible text={v.execution.function} />
            </code>{" "}
            as it stands at{" "}
            <code><Visible text={`${v.execution.file}:${v.execution.line}`} /></code>, and fails with a stand-in that does nothing.
          </p>
          <Code text={v.execution.check} language="python" name="The verifier's check" />
        </>
      ) : null}
    </section>
  );
}
