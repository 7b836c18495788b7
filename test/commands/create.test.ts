import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { copyStarters } from '../../scripts/copyStarters.ts';
import { onlineEditorUrl } from '../../scripts/packageMetadata.ts';
import { runCreate } from '../../src/create-vitrine/lib/runCreate.ts';
import { starters as offered } from '../../src/create-vitrine/lib/starters.ts';

let starters = '';
beforeAll(() => {
  starters = mkdtempSync(join(tmpdir(), 'vitrine-starters-'));
  copyStarters(starters);
});
afterAll(() => rmSync(starters, { recursive: true }));

/** Keys for prompts, each typed when its prompt appears. */
type Typed = readonly (readonly [question: string, keys: string])[];

const enter = '\r';
const down = '\u001b[B';
const ctrlC = '\u0003';
const ctrlD = '\u0004';

const create = async (
  args: readonly string[],
  { typed, cwd = temporaryFolder(), agent = '', registry = '' }: CreateOptions = {},
) => {
  const input = new PassThrough();
  const stdin = Object.assign(input, {
    isTTY: typed !== undefined,
    setRawMode: () => undefined,
  }) as unknown as typeof process.stdin;
  const stdout = new PassThrough() as unknown as typeof process.stdout;
  const stderr = new PassThrough();
  const said = { stdout: '', stderr: '' };
  const waiting = [...(typed ?? [])];
  stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk.toString();
    const [[question, keys] = []] = waiting;
    if (question === undefined || !said.stdout.includes(question)) return;
    waiting.shift();
    // The prompt listens after it has drawn itself.
    setImmediate(() => input.write(keys));
  });
  stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
  const env = { npm_config_user_agent: agent, npm_config_registry: registry };
  const exitCode = await runCreate(args, { env, cwd: () => cwd, stdin, stdout, stderr }, starters);
  return { exitCode, ...said, cwd, unasked: waiting.length };
};
interface CreateOptions {
  readonly typed?: Typed;
  readonly cwd?: string;
  readonly agent?: string;
  readonly registry?: string;
}

const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-create-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

const kinds = globSync('examples/*/package.json').map((file) => basename(dirname(file)));

describe('npm create vitrine', () => {
  it.each(kinds)('writes the starter %s with the name of its folder', async (kind) => {
    const { exitCode, cwd, stdout } = await create(['My App', '--kind', kind]);
    expect(exitCode).toBe(0);
    const folder = join(cwd, 'My App');
    const original = manifestOf(`examples/${kind}`);
    expect(manifestOf(folder)).toEqual({ ...original, name: 'my-app' });
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toContain('.env.local\n');
    expect(existsSync(join(folder, 'gitignore'))).toBe(false);
    expect(existsSync(join(folder, 'README.md'))).toBe(true);
    expect(stdout).toContain('  cd "My App"\n');
    expect(stdout).toMatch(/npm install\n +npm run dev\n\nThen open the address that it prints/);
  });

  it('offers every example that is an app, each with an online editor link in the list', () => {
    expect(Object.keys(offered).toSorted()).toEqual(kinds.toSorted());
    const list = readFileSync('examples/README.md', 'utf8');
    for (const kind of kinds) expect(list).toContain(`](${onlineEditorUrl(`examples/${kind}`)})`);
  });

  it('asks for a folder and a starter, and uses the first option for an empty answer', async () => {
    const typed: Typed = [
      ['Folder', enter],
      ['What do you build with?', enter],
    ];
    const { exitCode, cwd, unasked } = await create([], { typed });
    expect({ exitCode, unasked }).toEqual({ exitCode: 0, unasked: 0 });
    expect(manifestOf(join(cwd, 'vitrine-app')).dependencies).toHaveProperty('express');
  });

  it('asks only for missing command line arguments', async () => {
    const { exitCode, cwd, stdout } = await create(['app'], {
      typed: [['What do you build with?', `${down}${enter}`]],
    });
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('Folder');
    expect(manifestOf(join(cwd, 'app')).dependencies).toHaveProperty('next');
  });

  it('asks nothing with --yes', async () => {
    const { exitCode, cwd } = await create(['--yes', '--kind', 'hono'], { typed: [] });
    expect(exitCode).toBe(0);
    expect(manifestOf(join(cwd, 'vitrine-app')).dependencies).toHaveProperty('hono');
  });

  it('writes to the current folder, and names the package manager that ran it', async () => {
    const { exitCode, stdout, cwd } = await create(['.', '--yes'], { agent: 'pnpm/12.21.0 npm/? node/v24' });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('pnpm run dev');
    expect(stdout).not.toContain('cd ');
    expect(existsSync(join(cwd, 'package.json'))).toBe(true);
  });

  it('accepts a folder that contains only a new repository', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, '.git'));
    expect(await create(['.', '--yes'], { cwd })).toMatchObject({ exitCode: 0 });
  });

  it('rejects a folder that is not empty, and does not change it', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'mine.txt'), 'mine');
    expect(await create(['.', '--yes'], { cwd })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/is not empty: it contains mine\.txt\. .*npx vitrine init/),
    });
    expect(readdirSync(cwd)).toEqual(['mine.txt']);
  });

  it.each([
    ['an unknown starter', ['app', '--kind', 'vue'], 'no starter "vue". The starters are vite-express, next'],
    ['an unknown option', ['--template', 'x'], "Unknown option '--template'."],
    ['two folders', ['app', 'next'], 'Pass one folder, and options after --'],
    ['no interactive terminal', ['app'], 'No interactive terminal, so nothing was created.'],
    ['--kind without a name', ['--kind'], 'argument missing'],
  ])('says what to do about %s', async (_, args, message) => {
    const { exitCode, stderr, cwd } = await create(args);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(message) });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([
    ['Ctrl-C', ctrlC],
    ['Ctrl-D', ctrlD],
  ])('creates nothing when a prompt is canceled with %s', async (_name, key) => {
    const { exitCode, stderr, cwd } = await create([], { typed: [['Folder', key]] });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'Nothing was created.\n' });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it.each([
    ['http://localhost:4873/', 'registry=http://localhost:4873/\n'],
    ['https://registry.example/', undefined],
    ['http://localhost.example/', undefined],
  ])('keeps a registry on this machine: %s', async (registry, expected) => {
    const { cwd } = await create(['app', '--yes'], { registry });
    const file = join(cwd, 'app/.npmrc');
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(expected);
  });

  it('prints help', async () => {
    const { exitCode, stdout } = await create(['--help']);
    expect(exitCode).toBe(0);
    for (const kind of kinds) expect(stdout).toContain(kind);
  });
});
