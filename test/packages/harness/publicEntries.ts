import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Entries that only our own packages import from each other. */
const internal = ['./internal', './require-node'];

/** Every specifier that an app can import from our packages, such as `@vitrine/react/labels/de`. */
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
