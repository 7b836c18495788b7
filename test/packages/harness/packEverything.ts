import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packPackages } from '../../../scripts/packContents.ts';
import { isLong } from '../../support/size.ts';
import { startRegistry } from '../registry/startRegistry.ts';
import { sharedRegistry } from './versions.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder with the tarball of every package, as npm would publish it. */
    readonly tarballs: string;
    /** Folder with an installation of all of them, and of what their consumers share; not for the long tests. */
    readonly installation: string;
    /** URL of a registry that has them, for the long tests. */
    readonly registry: string;
  }
}

/** Builds, packs and installs every package once for all packaging tests, and publishes them for the long ones. */
export const setup = async (project: TestProject) => {
  if (process.env['VITRINE_BUILT'] === undefined)
    execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'pipe' });
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-tarballs-'));
  packPackages('.', folder);
  project.provide('tarballs', folder);
  const installation = mkdtempSync(join(tmpdir(), 'vitrine-installation-'));
  if (!isLong) {
    const names = Object.entries(sharedRegistry).map(([name, version]) => `${name}@${version}`);
    const args = ['install', '--prefix', installation, '--prefer-offline', '--ignore-scripts', '--no-audit'];
    execFileSync('npm', [...args, ...globSync(join(folder, '*.tgz')), ...names], { stdio: 'pipe' });
  }
  project.provide('installation', installation);
  const registry = isLong ? await startRegistry({ storage: '.vitrine/registry-of-tests' }) : undefined;
  await registry?.publish(folder);
  project.provide('registry', registry?.url ?? 'none');
  return async () => {
    await registry?.close();
    // Workers end meanwhile.
    for (const one of [folder, installation]) await rm(one, { recursive: true, force: true });
  };
};
