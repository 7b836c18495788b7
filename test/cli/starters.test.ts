import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Edit } from '../../src/cli/lib/commands/init/edits.ts';
import { detectKind } from '../../src/cli/lib/commands/init/kinds.ts';
import { openProject, type Project } from '../../src/cli/lib/commands/init/project.ts';
import { viteEdits } from '../../src/cli/lib/commands/init/viteEdits.ts';

const version: string = JSON.parse(readFileSync('src/cli/package.json', 'utf8')).version;
const open = (starter: string): Project => openProject(`examples/${starter}`);
const read = (starter: string, file: string): string => readFileSync(join('examples', starter, file), 'utf8');

/** The text of a file that `vitrine init` creates when it does not exist. */
const written = (edits: readonly Edit[], file: string): string => {
  const edit = edits.find((one) => one.file === file);
  if (edit === undefined) throw new Error(`vitrine init writes no ${file}`);
  return edit.apply(undefined) ?? '';
};

describe('the starters contain the output of vitrine init', () => {
  it.each([
    ['next', 'app/api/embed/[route]/route.ts', 'app/vitrine/page.tsx'],
    ['react-router', 'app/routes/embed.ts', 'app/routes/vitrine.tsx'],
  ])('%s: the key route and the page', (starter, ...files) => {
    const project = open(starter);
    const edits = detectKind(project).edits(project);
    for (const file of files) expect(read(starter, file)).toBe(written(edits, file));
    for (const { file, apply } of edits) expect(apply(project.read(file))).toBe(project.read(file));
  });

  it.each(['vite-express', 'hono'])('%s: the key route, without the page, of a backend', (starter) => {
    const project = open(starter);
    const edits = detectKind(project).edits(project);
    const [handler = '', page] = written(edits, 'server/vitrine.ts').split('\n// A page to see');
    expect(page).toContain('<!doctype html>');
    expect(read(starter, 'server/vitrine.ts')).toBe(handler);
    for (const { file, apply } of edits) expect(apply(project.read(file))).toBe(project.read(file));
  });

  it.each(['vite-express', 'hono'])('%s: the page of a Vite app', (starter) => {
    expect(read(starter, 'src/main.tsx')).toBe(written(viteEdits(open(starter)), 'src/vitrine.tsx'));
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
