/** A field of a form: as its kind asks for. */

import { capital } from "../blocks/numbers.ts";
import type { Field, Value } from "../types.ts";

export type Given = Record<string, Value | string[]>;

/** A field means something only where another one has certain values. */
export function applies(field: Field, given: Given, fields: Field[]): boolean {
  return field.for.every(({ field: name, values }) => {
    const value = (given[name] !== "" ? given[name] : undefined) ?? fields.find(one => one.name === name)?.usual ?? "";
    return values.length ? values.includes(value as Value) : value !== "" && value !== false;
  });
}

interface Props {
  field: Field; value: Value | string[] | undefined; set: (name: string, value: Value | string[]) => void;
}

export function FieldView({ field, value, set }: Props) {
  const label = `${capital(field.label)}${field.unit ? ` / ${field.unit}` : ""}`;
  const usual = field.usual === null ? "" : String(field.usual);
  if (field.kind === "flag") {
    const on = Boolean(value ?? field.usual);
    return (
      <label class="field check" title={field.help}>
        <span><input type="checkbox" checked={on} onChange={event => set(field.name, event.currentTarget.checked)} /> {label}</span>
        <span class="note">{field.help}</span>
      </label>
    );
  }
  const take = (text: string) => {
    const bare = text.trim();
    const number = Number(bare);
    if (field.kind === "list") set(field.name, bare ? bare.split(/\s*,\s*/) : "");
    else set(field.name, bare !== "" && (field.kind === "number" || field.kind === "integer") && Number.isFinite(number) ? number : bare);
  };
  const text = value === undefined ? "" : String(value);
  return (
    <label class="field">{label}
      {field.kind === "choice" ? (
        <select value={text} required={field.required} onChange={event => set(field.name, field.choices.find(one => String(one) === event.currentTarget.value) ?? "")}>
          <option value="">{usual ? `${usual} (usual)` : field.required ? "choose" : "none"}</option>
          {field.choices.filter(one => String(one) !== usual).map(one => <option value={String(one)}>{String(one)}</option>)}
        </select>
      ) : (
        <input
          defaultValue={text} placeholder={usual} required={field.required && !usual} list={field.choices.length ? `choices-${field.name}` : undefined}
          inputMode={field.kind === "integer" ? "numeric" : field.kind === "number" ? "decimal" : "text"}
          onInput={event => take(event.currentTarget.value)} // not when it is left: what then appears would move the button that is pressed
        />
      )}
      {field.kind !== "choice" && field.choices.length ? <datalist id={`choices-${field.name}`}>{field.choices.map(one => <option value={String(one)} />)}</datalist> : null}
      <span class="note">{field.help}</span>
    </label>
  );
}
