/** A table of which each row opens or does something; on a phone each row is a card. */

import type { ComponentChildren } from "preact";

interface Props { label: string; heads: string[]; rows: { key: string; class?: string; cells: ComponentChildren[] }[]; numeric?: string }

export function Grid({ label, heads, rows, numeric = "" }: Props) {
  const kind = (head?: string) => (head === numeric ? "n" : undefined);
  return (
    <div class="box whole" tabIndex={0} role="group" aria-label={label}>
      <table class="cards">
        <thead><tr>{heads.map(one => (one ? <th class={kind(one)}>{one}</th> : <td />))}</tr></thead>
        <tbody>
          {rows.map(one => <tr key={one.key} class={one.class}>{one.cells.map((cell, n) => <td class={kind(heads[n])} data-of={heads[n]}>{cell}</td>)}</tr>)}
        </tbody>
      </table>
    </div>
  );
}
