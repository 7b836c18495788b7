import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProject, type Project, planApp } from '../../src/cli/lib/commands/init/frameworks.ts';

const version: string = JSON.parse(readFileSync('src/cli/package.json', 'utf8')).version;
const open = (starter: string): Project => openProject(`examples/${starter}`);
const read = (starter: string, file: string): string => readFileSync(join('examples', starter, file), 'utf8');

/** The files that `vitrine init` creates in an app. */
const planned = (starter: string) => planApp(open(starter)).files;

describe('the starters contain the output of vitrine init', () => {
  it.each(['next', 'react-router', 'vite-express', 'hono'])('%s', (starter) => {
    const files = Object.entries(planned(starter));
    expect(files.length).toBeGreaterThan(0);
    for (const [file, text] of files) expect([file, read(starter, file)]).toEqual([file, text]);
  });
});

describe.each(globSync('examples/*/package.json'))('%s', (file) => {
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const packages: Record<string, string> = { ...manifest.dependencies, ...manifest.devDependencies };

  it('uses our packages in the version of this repository', () => {
    const ours = Object.entries(packages).filter(([name]) => /^(@vitrine\/|vitrine$)/.test(name));
    expect(ours.length).toBeGreaterThan(2);
    for (const [, range] of ours) expect(range).toBe(`^${version}`);
  });

  it('requires the Node.js version that our packages require', () => {
    const { engines } = JSON.parse(readFileSync('src/cli/package.json', 'utf8'));
    expect(manifest.engines).toEqual(engines);
  });
});
