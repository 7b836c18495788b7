import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand, temporaryFolder } from './runCommand.ts';

/** A folder with some files and a package.json that names some packages. */
export const createApp = (
  packages: readonly string[] | Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
) => {
  const cwd = temporaryFolder();
  const dependencies = Array.isArray(packages)
    ? Object.fromEntries(packages.map((name) => [name, '*']))
    : packages;
  for (const [file, text] of Object.entries({
    'package.json': `${JSON.stringify({ name: 'app', scripts: { dev: 'go' }, dependencies }, null, 2)}\n`,
    ...files,
  })) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const vitrine = (line: string, env: Record<string, string> = {}) => runCommand(line, { cwd, env });
  const read = (file: string) => readFileSync(join(cwd, file), 'utf8');
  return {
    cwd,
    vitrine,
    init: () => vitrine('init --yes --skip-install'),
    read,
    /** Lists more packages, as an installation does. */
    list: (names: readonly string[]) => {
      const manifest = JSON.parse(read('package.json'));
      for (const name of names) manifest.dependencies[name] = '*';
      writeFileSync(join(cwd, 'package.json'), JSON.stringify(manifest));
    },
    /** Installs Vite, and our plugin from its source. */
    linkPackages: () => {
      const ours = join(cwd, 'node_modules/@vitrine/vite');
      mkdirSync(ours, { recursive: true });
      symlinkSync(resolve('node_modules/vite'), join(cwd, 'node_modules/vite'));
      writeFileSync(join(ours, 'package.json'), '{"type":"module","exports":"./index.js"}');
      const source = pathToFileURL(resolve('src/vite/lib/index.ts'));
      writeFileSync(join(ours, 'index.js'), `export { vitrine } from '${source.href}';\n`);
    },
    contents: () =>
      Object.fromEntries(
        readdirSync(cwd, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
          .map(({ parentPath, name }) => join(parentPath, name))
          .map((file) => [file.slice(cwd.length + 1), readFileSync(file, 'utf8')]),
      ),
  };
};
