import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks } from './harness/codeBlocks.ts';
import { type CleanCopy, createCleanCopy } from './harness/createCleanCopy.ts';

const commands = new Set(
  ['README.md', 'CONTRIBUTING.md']
    .flatMap(codeBlocks)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.trim().split(/\n| && /)),
);

let copy: CleanCopy;
beforeAll(() => {
  copy = createCleanCopy();
});
afterAll(() => copy?.remove());

const inCopy = (file: string): string => join(copy.folder, file);
/** A command that is on neither page does not belong here. */
const type = (command: string, until?: string): Promise<string> => {
  expect(commands).toContain(command);
  return copy.type(command, until);
};

describe('in a fresh clone of the project', () => {
  it('npm ci installs everything with a matching lock file', async () => {
    await type('npm ci');
    expect(existsSync(inCopy('node_modules/@vitrine/react'))).toBe(true);
  });

  it('npm start prints where to look, and Ctrl-C ends it', async () => {
    const said = await type('npm start', 'Press Ctrl-C to stop everything.');
    expect(said).toMatch(/http:\/\/localhost:\d+/);
    expect(existsSync(inCopy('.vitrine/dev.json'))).toBe(false);
  });

  it('npm run build writes every package, with its declarations', async () => {
    await type('npm run build');
    for (const name of ['contract', 'react', 'portal-client', 'server', 'express', 'portal'])
      for (const file of ['index.js', 'index.d.ts'])
        expect(statSync(inCopy(`src/${name}/dist/${file}`)).size).toBeGreaterThan(0);
    expect(existsSync(inCopy('src/cli/dist/bin.js'))).toBe(true);
  });

  it('npm run size prints the size of the component, which is within its limits', async () => {
    expect(await type('npm run size')).toMatch(/<EmbeddedReport> alone[\s\S]*Size limit:[\s\S]*Size:/);
  });

  it('npm run storybook serves the stories', async () => {
    expect(await type('npm run storybook', 'Storybook ready!')).toContain('storybook v');
  });

  it('npm run screenshot takes the pictures of the README', async () => {
    const pictures = readFileSync('README.md', 'utf8').match(/docs\/pictures\/[\w-]+\.png/g) ?? [];
    expect(pictures).toHaveLength(2);
    for (const picture of pictures) rmSync(inCopy(picture));
    await type('npm run screenshot');
    for (const picture of pictures)
      expect(readFileSync(inCopy(picture)).subarray(1, 4).toString()).toBe('PNG');
  });
});

it('these and npm test are the only commands of the README and CONTRIBUTING', () => {
  expect([...commands].sort()).toEqual([
    'npm ci',
    'npm run build',
    'npm run screenshot',
    'npm run size',
    'npm run storybook',
    'npm start',
    'npm test',
  ]);
});
