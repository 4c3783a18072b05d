/** A chart: drawn by the server, shown as a picture; its numbers can be saved. */

import { useRef } from "preact/hooks";
import { download } from "../api.ts";
import { chart, usePicture } from "../state/fetched.ts";
import type { Chart } from "../types.ts";
import { useSeen } from "./Seen.tsx";
import { Wrong } from "../views/Wrong.tsx";

export function Picture({ iri, block }: { iri: string; block: Chart }) {
  const { ref, seen } = useSeen<HTMLElement>();
  const large = useRef<HTMLDialogElement>(null);
  const picture = usePicture(`${iri} ${block.index}`, () => chart(iri, block.index), seen);
  const file = `${block.title.replace(/[^\w]+/g, "-") || "chart"}.csv`;
  return (
    <figure class="chart" ref={ref}>
      {picture.value ? (
        <button type="button" class="plain" aria-label={`Enlarge: ${block.title}`} onClick={() => large.current?.showModal()}>
          <img src={picture.value} alt={block.title} />
        </button>
      ) : (
        <div class="waiting" role="img" aria-label={block.title} />
      )}
      <Wrong text={picture.trouble} again={picture.again} />
      <figcaption>
        {block.note || block.title}{" "}
        <button type="button" class="link" onClick={() => void download(file, "chart", { iri, index: block.index, as: "csv" })}>Numbers (CSV)</button>
      </figcaption>
      <dialog ref={large} class="large" aria-label={block.title} onClick={event => event.target === event.currentTarget && event.currentTarget.close()}>
        {picture.value ? <img src={picture.value} alt={block.title} /> : null}
        <button type="button" onClick={() => large.current?.close()}>Close</button>
      </dialog>
    </figure>
  );
}
