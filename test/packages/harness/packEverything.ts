import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isLong } from '../../support/size.ts';
import { startRegistry } from '../registry/startRegistry.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder with the tarball of every package, as npm would publish it. */
    readonly tarballs: string;
    /** URL of a registry that has them, for the long tests. */
    readonly registry: string;
  }
}

/** Builds and packs every package once for all packaging tests, and publishes them for the long ones. */
export const setup = async (project: TestProject) => {
  if (process.env['VITRINE_BUILT'] === undefined)
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'pipe' });
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-tarballs-'));
  const packages = readdirSync('src').flatMap((name) => ['--workspace', `src/${name}`]);
  execFileSync('npm', ['pack', '--pack-destination', folder, ...packages], { stdio: 'pipe' });
  project.provide('tarballs', folder);
  const registry = isLong ? await startRegistry({ storage: '.vitrine/registry-of-tests' }) : undefined;
  await registry?.publish(folder);
  project.provide('registry', registry?.url ?? 'none');
  return async () => {
    await registry?.close();
    rmSync(folder, { recursive: true, force: true });
  };
};
