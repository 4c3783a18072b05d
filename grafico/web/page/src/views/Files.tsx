/** Files that were made: pictures are shown, others can be saved. */

import { useState } from "preact/hooks";
import { blob, download, said } from "../api.ts";
import { useSeen } from "../blocks/Seen.tsx";
import { usePicture } from "../state/fetched.ts";
import { Wrong } from "./Wrong.tsx";

const PICTURES: Record<string, string> = {
  png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp", svg: "image/svg+xml",
};

function ending(name: string): string {
  return /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "";
}

function place(of: string, name: string): string {
  return `files/${encodeURIComponent(of)}/${name.split("/").map(encodeURIComponent).join("/")}`;
}

export function Files({ names, of }: { names: string[]; of: string }) {
  if (!names.length) return null;
  return <div class="files">{names.map(name => (PICTURES[ending(name)] ? <Image name={name} of={of} /> : <File name={name} of={of} />))}</div>;
}

function File({ name, of }: { name: string; of: string }) {
  const [trouble, wrong] = useState("");
  const save = () => download(name.split("/").at(-1) ?? name, place(of, name)).then(() => wrong(""), error => wrong(said(error)));
  return <span><button type="button" class="chip" onClick={() => void save()}>{name}</button><Wrong text={trouble} /></span>;
}

/** As a picture even a file with a script in it does nothing. */
function Image({ name, of }: { name: string; of: string }) {
  const { ref, seen } = useSeen<HTMLElement>();
  const typed = async () => (await blob(place(of, name))).slice(0, undefined, PICTURES[ending(name)]);
  const picture = usePicture(`${of} ${name}`, typed, seen);
  return (
    <figure class="chart" ref={ref}>
      {picture.value ? <img src={picture.value} alt={name} /> : <div class="waiting" role="img" aria-label={name} />}
      <Wrong text={picture.trouble} again={picture.again} />
      <figcaption><File name={name} of={of} /></figcaption>
    </figure>
  );
}
