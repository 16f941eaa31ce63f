import React, { useState } from "react";

type Props = { items: string[]; onPick?: (item: string) => void };

export function List({ items, onPick }: Props): JSX.Element {
  const [open, setOpen] = useState<boolean>(false);
  return (
    <ul className="list" onClick={() => setOpen(!open)}>
      {items.map((item, i) => (
        <li key={i} dangerouslySetInnerHTML={{ __html: item }} />
      ))}
      <>{open && <b>text &amp; more</b>}</>
    </ul>
  );
}
