import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeBlocks } from './harness/codeBlocks.ts';

/** The project as in a fresh clone: nothing installed, nothing built. */
interface CleanCopy {
  readonly folder: string;
  /**
   * Runs `line` in a terminal and returns its output. It must exit successfully by itself, unless `until` is given:
   * then Ctrl-C is pressed as soon as this text appears.
   */
  readonly type: (line: string, until?: string) => Promise<string>;
  readonly remove: () => void;
}

const ignored = readFileSync('.gitignore', 'utf8').split('\n').filter(Boolean);
const isIgnored = (file: string): boolean => {
  const name = basename(file);
  return ignored.some((line) =>
    line.startsWith('*')
      ? name.endsWith(line.slice(1))
      : resolve(file).endsWith(`/${line.replace(/\/$/, '')}`),
  );
};

/** A terminal's environment: without the additions of `npm run` and the test runner. */
const terminalEnv = (folder: string): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD|VITE|NODE_|TEST$|DEV$|PROD$|SSR$|MODE$)/.test(name),
  );
  const path = process.env['PATH']?.split(delimiter).filter((part) => !part.includes('node_modules'));
  return {
    ...Object.fromEntries(kept),
    PATH: path?.join(delimiter),
    VITRINE_DEV_FILE: join(folder, '.vitrine/dev.json'),
    npm_config_prefer_offline: 'true',
  };
};

const createCleanCopy = (): CleanCopy => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-clean-copy-'));
  const unwanted = (file: string) => basename(file) === '.git' || isIgnored(file);
  cpSync('.', folder, { recursive: true, filter: (file) => !unwanted(file) });

  const endAll: (() => void)[] = [];
  const type = (line: string, until?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      // Its own process group, as a terminal creates one, so that Ctrl-C reaches all of it.
      const child = spawn(line, { cwd: folder, env: terminalEnv(folder), shell: true, detached: true });
      const signal = (name: NodeJS.Signals): void => {
        if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
          process.kill(-child.pid, name);
      };
      endAll.push(() => signal('SIGKILL'));
      let said = '';
      let pressed = false;
      const onData = (chunk: unknown): void => {
        said += String(chunk);
        if (pressed || until === undefined || !said.includes(until)) return;
        pressed = true;
        signal('SIGINT');
      };
      child.stdout.on('data', onData);
      child.stderr.on('data', onData);
      child.once('error', reject);
      child.once('close', (code) => {
        if (until === undefined ? code === 0 : pressed) resolve(said);
        else reject(new Error(`"${line}" ended with ${code}:\n${said}`));
      });
    });
  const remove = (): void => {
    for (const end of endAll) end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  return { folder, type, remove };
};

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
