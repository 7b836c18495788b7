import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Entries that our packages need of each other: no host names them. */
const internal = ['./internal', './require-node'];

/** Everything that an app can import from our packages, as it names it: `@vitrine/react/labels/de`. */
export const publicEntries: readonly string[] = globSync('src/*/package.json').flatMap((file) => {
  const { name, exports = {} } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.keys(exports)
    .filter((entry) => !internal.includes(entry))
    .flatMap((entry) => {
      const path = join(name, entry);
      if (!path.endsWith('*')) return path;
      const sources = globSync(join(dirname(file), exports[entry]['@vitrine/source']));
      return sources.map((source) => path.replace('*', basename(source, '.ts')));
    });
});
