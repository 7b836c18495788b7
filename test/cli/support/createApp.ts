import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand, temporaryFolder } from './runCommand.ts';

/** A folder with some files and a package.json that names some packages. */
export const createApp = (packages: readonly string[], files: Readonly<Record<string, string>> = {}) => {
  const cwd = temporaryFolder();
  const dependencies = Object.fromEntries(packages.map((name) => [name, '*']));
  for (const [file, text] of Object.entries({
    'package.json': `${JSON.stringify({ name: 'app', scripts: { dev: 'go' }, dependencies }, null, 2)}\n`,
    ...files,
  })) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const vitrine = (line: string) => runCommand(line, { cwd });
  const init = () => vitrine('init --yes --skip-install');
  const revert = () => vitrine('init --revert --yes --skip-install');
  const read = (file: string) => readFileSync(join(cwd, file), 'utf8');
  const contents = () =>
    Object.fromEntries(
      readdirSync(cwd, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((file) => [file.slice(cwd.length + 1), readFileSync(file, 'utf8')]),
    );
  return { cwd, vitrine, init, revert, read, contents };
};
