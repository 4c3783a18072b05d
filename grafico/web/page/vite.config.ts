import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** Write the licences of everything that is bundled beside it, in the order of their names; leave out what is not used. */
function licences(): Plugin {
  const found = new Map<string, string>();
  return {
    name: "licences",
    generateBundle(_, bundle) {
      // For 3D and for estimates of openchemlib, of which the page uses none.
      for (const name of Object.keys(bundle)) if (/\bresources-[\w-]+\.json$/.test(name)) delete bundle[name];
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === "chunk") for (const id of Object.keys(chunk.modules)) keep(found, id);
      }
      // In the worker, and inside of 3dmol's own build.
      for (const name of ["eventsource-parser", "iobuffer", "netcdfjs", "pako", "upng-js"]) keep(found, join(import.meta.dirname, "node_modules", name, "x"));
      const text = [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, said]) => `${name}\n\n${said}`);
      const line = `\n\n${"-".repeat(80)}\n\n`;
      const source = `What the page is built from, and its licences.${line}${text.join(line)}\n`;
      this.emitFile({ type: "asset", fileName: "LICENSES.txt", source });
    },
  };
}

function keep(found: Map<string, string>, id: string): void {
  const at = id.lastIndexOf("node_modules/");
  if (at < 0) return;
  let folder = dirname(id);
  while (!existsSync(join(folder, "package.json")) || !said(folder).version) folder = dirname(folder);
  const { name, version, license } = said(folder);
  const file = readdirSync(folder).sort().find(one => /^licen[cs]e/i.test(one));
  found.set(`${name} ${version} (${license})`, file ? readFileSync(join(folder, file), "utf8").trim() : "");
}

function said(folder: string): { name: string; version: string; license: string } {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

export default defineConfig({
  base: "/",
  plugins: [licences()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
  build: {
    outDir: "../static",
    emptyOutDir: true,
    target: "es2022",
    sourcemap: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
  },
});
