import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { dirname, join } from 'node:path';

/** The first line of a program's version output, or undefined if it is not installed. */
export const versionOf = (program: string, argument: string): string | undefined => {
  const { stdout, stderr, error } = spawnSync(program, [argument], { encoding: 'utf8' });
  return error === undefined ? (stdout || stderr).split('\n')[0]?.trim() : undefined;
};

const require = createRequire(import.meta.url);

/** Folder of an installed package, resolved from the bench scripts or from another package. */
export const packageFolder = (name: string, from?: string): string => {
  const resolver = from === undefined ? require : createRequire(join(packageFolder(from), 'package.json'));
  for (const folder of resolver.resolve.paths(name) ?? []) {
    try {
      readFileSync(join(folder, name, 'package.json'));
      return join(folder, name);
    } catch {
      // not in this one
    }
  }
  throw new Error(`${name} is not installed. Run npm ci in the root and in bench.`);
};

/** Version of an installed package. */
export const packageVersion = (name: string, from?: string): string => {
  const manifest = JSON.parse(readFileSync(join(packageFolder(name, from), 'package.json'), 'utf8'));
  return String(manifest.version);
};

const commit = (): string => {
  try {
    const options = { encoding: 'utf8', cwd: dirname(import.meta.dirname) } as const;
    const hash = execFileSync('git', ['rev-parse', '--short', 'HEAD'], options).trim();
    const changed = execFileSync('git', ['status', '--porcelain', '--', '../src'], options).trim();
    return changed === '' ? hash : `${hash} with changes`;
  } catch {
    return 'unknown';
  }
};

/** The environment of a run, for judging its figures. A load above 1 before the run: the machine was busy with other work. */
export const describeMachine = (): string =>
  [
    new Date().toISOString(),
    `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${type()} ${release()}, Node ${process.version}, commit ${commit()}, load ${loadavg()[0]?.toFixed(2)}`,
  ].join('  ');
