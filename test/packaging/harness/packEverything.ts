import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder with the tarball of every package, as npm would publish it. */
    readonly tarballs: string;
  }
}

/** Builds and packs every package once for all packaging tests. */
export const setup = (project: TestProject) => {
  if (process.env['VITRINE_BUILT'] === undefined)
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'pipe' });
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-tarballs-'));
  const packages = readdirSync('src').flatMap((name) => ['--workspace', `src/${name}`]);
  execFileSync('npm', ['pack', '--pack-destination', folder, ...packages], { stdio: 'pipe' });
  project.provide('tarballs', folder);
  return () => rmSync(folder, { recursive: true, force: true });
};
