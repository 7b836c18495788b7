/** The public API of every package as text: its built declarations without comments. `npm run api` builds first. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const withoutComments = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^\s*\n/gm, '')
    .trim();

const listings = globSync('src/*/package.json').flatMap((manifest) => {
  const folder = dirname(manifest);
  const dist = join(folder, 'dist');
  const sections = globSync('**/*.d.ts', { cwd: dist })
    .sort()
    .map((file) => `// ${file}\n${withoutComments(readFileSync(join(dist, file), 'utf8'))}\n`);
  const { name } = JSON.parse(readFileSync(manifest, 'utf8'));
  const text = `// The public API of ${name}, written by: npm run api\n\n${sections.join('\n')}`;
  return sections.length === 0 ? [] : [{ file: join(folder, 'api.txt'), text }];
});

/** The listings that differ from the built packages. */
export const findStaleListings = (): string[] =>
  listings
    .filter(
      ({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8').replaceAll('\r\n', '\n') !== text,
    )
    .map(({ file }) => file);

if (import.meta.main) for (const { file, text } of listings) writeFileSync(file, text);
