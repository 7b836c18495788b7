/** The public API of every package as text: all exports and the types that they reference. `npm run api` builds first. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The declarations of a file, without comments. */
const declarationsOf = (file: string): string =>
  readFileSync(file, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/^(export \{\};|\s*)\n/gm, '')
    .trim();

/** A file and the files that its types come from. */
const withImports = (file: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from |import\()['"](\.{1,2}\/[^'"]+)\.js['"]/g,
  ))
    withImports(join(dirname(file), `${path}.d.ts`), seen);
  return seen;
};

const entriesOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(entriesOf);

/** The listing of one package; undefined for a package with only a command. */
const listingOf = (manifestFile: string): { file: string; text: string } | undefined => {
  const root = dirname(manifestFile);
  const { name, exports } = JSON.parse(readFileSync(manifestFile, 'utf8'));
  if (exports === undefined) return undefined;
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.css'));
  const declared = [...new Set(entriesOf(exports))].filter((path) => path.endsWith('.d.ts'));
  const files = declared.flatMap((path) => globSync(join(root, path))).sort();
  const reachable = new Set(files.flatMap((file) => [...withImports(file)]));
  const sections = [...reachable]
    .sort()
    .map((file) => `// ${relative(join(root, 'dist'), file)}\n${declarationsOf(file)}\n`);
  const list = entries.map((entry) => `// ${join(name, entry)}`).join('\n');
  const text = `// The public API of ${name}, written by: npm run api\n${list}\n\n${sections.join('\n')}`;
  return { file: join(root, 'api.txt'), text };
};

const listings = globSync('src/*/package.json').flatMap((file) => listingOf(file) ?? []);

/** The listings that differ from the built packages. */
export const findStaleListings = (): string[] =>
  listings
    .filter(
      ({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8').replaceAll('\r\n', '\n') !== text,
    )
    .map(({ file }) => file);

const importOfSource = /(?:from |import\()['"]\.{1,2}\/[^'"]+\.tsx?['"]/;

/** Declarations that a later type check wrote over those of the build: they import source files. */
export const findOverwrittenDeclarations = (pattern = 'src/*/dist/**/*.d.ts'): string[] =>
  globSync(pattern).filter((file) => importOfSource.test(readFileSync(file, 'utf8')));

if (import.meta.main) for (const { file, text } of listings) writeFileSync(file, text);
