/** What is shown where an address names nothing. */
import { ProblemBox } from "../documents";
import { href } from "../kit";

/** Says that there is no such thing, and leads back; `what` is what the address names, `to` the place above it. */
export function Unknown(p: { what: string; to?: string }) {
  return (
    <>
      <ProblemBox problem={{ status: 404, message: `There is nothing called ${p.what} here.`, hint: "The link may be of another run." }} />
      <p><a href={href(p.to ?? "")}>Back</a></p>
    </>
  );
}
