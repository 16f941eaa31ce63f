/** Names of tasks. */

/** What the names have in common in front, up to a slash: what a table need not repeat. */
export function commonPrefix(names: readonly string[]): string {
  const first = names[0] ?? "";
  if (names.length < 2) return "";
  let end = first.length;
  for (const name of names) {
    let i = 0;
    while (i < end && i < name.length && name[i] === first[i]) i++;
    end = i;
  }
  return first.slice(0, first.lastIndexOf("/", end - 1) + 1);
}
