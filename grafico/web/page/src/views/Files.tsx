/** Files that were made: pictures are shown, others can be saved. */

import { blob, download } from "../api.ts";
import { useSeen } from "../blocks/Seen.tsx";
import { usePicture } from "../state/fetched.ts";
import { useTry, Wrong } from "./Wrong.tsx";

const PICTURES: Record<string, string> = {
  png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp", svg: "image/svg+xml",
};

interface Named { name: string; of: string }

function kindOf(name: string): string | undefined {
  return PICTURES[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ""];
}

function place({ name, of }: Named): string {
  return `files/${encodeURIComponent(of)}/${name.split("/").map(encodeURIComponent).join("/")}`;
}

export function Files({ names, of }: { names: string[]; of: string }) {
  if (!names.length) return null;
  return <div class="files">{names.map(name => (kindOf(name) ? <Image name={name} of={of} /> : <File name={name} of={of} />))}</div>;
}

function File(file: Named) {
  const { trouble, attempt } = useTry();
  const save = () => attempt(() => download(file.name.split("/").at(-1) ?? file.name, place(file)));
  return <span><button type="button" class="chip" onClick={() => void save()}>{file.name}</button><Wrong text={trouble} /></span>;
}

/** As a picture even a file with a script in it does nothing. */
function Image(file: Named) {
  const { ref, seen } = useSeen<HTMLElement>();
  const typed = async () => (await blob(place(file))).slice(0, undefined, kindOf(file.name));
  const picture = usePicture(`${file.of} ${file.name}`, typed, seen);
  return (
    <figure class="chart" ref={ref}>
      {picture.value ? <img src={picture.value} alt={file.name} /> : <div class="waiting" role="img" aria-label={file.name} />}
      <Wrong text={picture.trouble} again={picture.again} />
      <figcaption><File {...file} /></figcaption>
    </figure>
  );
}
