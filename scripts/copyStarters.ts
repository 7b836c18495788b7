/** Copies the starters of `examples` into the package that `npm create vitrine` runs. */
import { cpSync, globSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Names of files that installing and running a starter leaves in its folder. */
const namesIn = (ignoreFile: string): readonly string[] =>
  readFileSync(ignoreFile, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.replace(/\/$/, ''));

export const copyStarters = (destination: string): void => {
  for (const manifest of globSync('examples/*/package.json')) {
    const starter = dirname(manifest);
    const ignored = [...namesIn(join(starter, '.gitignore')), 'package-lock.json'];
    const isWanted = (file: string) => !ignored.includes(basename(file)) && !file.endsWith('.tsbuildinfo');
    const copy = join(destination, basename(starter));
    cpSync(starter, copy, { recursive: true, filter: isWanted });
    // npm does not publish .gitignore files.
    renameSync(join(copy, '.gitignore'), join(copy, 'gitignore'));
  }
};
