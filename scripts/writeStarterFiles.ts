/** Writes the files of starters that packages show or write into a data file of the package, which cannot read `examples`. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Data files, and the files under `examples` that they contain. */
const copies: Readonly<Record<string, readonly string[]>> = {
  'src/cli/lib/commands/init/starterFiles.json': [
    'hono/server/vitrine.ts',
    'next/app/api/embed/[route]/route.ts',
    'next/app/layout.tsx',
    'next/app/vitrine/page.tsx',
    'react-router/app/routes/embed.ts',
    'react-router/app/routes/vitrine.tsx',
    'vite-express/index.html',
    'vite-express/server/vitrine.ts',
    'vite-express/src/main.tsx',
  ],
  'src/portal/lib/console/shared/starterFiles.json': [
    'hono/server/index.ts',
    'hono/server/vitrine.ts',
    'next/app/api/embed/[route]/route.ts',
    'next/app/vitrine/page.tsx',
    'vite-express/index.html',
    'vite-express/server/index.ts',
    'vite-express/server/vitrine.ts',
    'vite-express/src/main.tsx',
    'vite-express/vite.config.ts',
  ],
};

/** The text of each data file. */
export const starterFiles: readonly (readonly [file: string, text: string])[] = Object.entries(copies).map(
  ([file, names]) => {
    const codes = names.map((name) => [name, readFileSync(`examples/${name}`, 'utf8')]);
    return [file, `${JSON.stringify(Object.fromEntries(codes), null, 2)}\n`];
  },
);

if (import.meta.main) for (const [file, text] of starterFiles) writeFileSync(file, text);
