import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installOnce } from '../../scripts/installOnce.ts';
import { type Consumer, createConsumer } from './harness/createConsumer.ts';
import { yarn } from './harness/packageManagers.ts';
import { publicEntries } from './harness/publicEntries.ts';
import { versionsOf } from './harness/versions.ts';

const packages = ['conformance', 'contract', 'express', 'portal', 'portal-client', 'react', 'server', 'vite'];
const peers = versionsOf('@tanstack/react-query', 'express', 'react', 'react-dom', 'vite', 'zod');

const entries = publicEntries.filter((name) => !name.endsWith('.css'));

let consumer: Consumer;
beforeAll(async () => {
  const otherTools = join(import.meta.dirname, 'otherTools');
  installOnce(otherTools, `other versions of tools (${otherTools})`);
  consumer = await createConsumer({
    app: 'resolvers',
    packages,
    registry: { ...peers, ...versionsOf('@types/express', '@types/node', '@types/react') },
    tools: ['@yarnpkg/cli-dist', 'jest-29', 'jest-30', 'typescript', 'vite-6'],
    toolsFrom: join(otherTools, 'node_modules'),
  });
  writeFileSync(join(consumer.folder, 'entries.json'), JSON.stringify(entries));
  // Control: a package whose only target for `require` is a declaration file.
  const conditions = { require: { types: './index.d.cts' }, node: './index.js' };
  const manifest = { name: 'no-target', type: 'module', exports: { '.': conditions } };
  const controls = {
    'node_modules/no-target/package.json': JSON.stringify(manifest),
    'node_modules/no-target/index.js': "export const plugin = { name: 'no-target' };",
    'jest/control.test.js': "test('require finds it', () => void require.resolve('no-target'));",
    'vite/commonjs/control.config.ts':
      "import { plugin } from 'no-target';\nexport default { plugins: [plugin] };",
  };
  mkdirSync(join(consumer.folder, 'node_modules/no-target'));
  for (const [file, text] of Object.entries(controls)) writeFileSync(join(consumer.folder, file), text);
});
afterAll(() => consumer?.remove());

describe('every entry of every package is found by', () => {
  // Other versions: nodeVersions.long.test.ts.
  it.each(['import.mjs', 'require.cjs'])('Node.js: %s', async (script) => {
    expect(await consumer.bin('node', join('node', script))).toContain(`${entries.length} entries`);
  });

  describe('a CommonJS test, and loaded by its `import`, in', () => {
    const run = (jest: string, test: string) =>
      consumer.bin(
        'node',
        '--experimental-vm-modules',
        `node_modules/${jest}/bin/jest.js`,
        '--ci',
        '--rootDir=jest',
        test,
      );

    it.each(['jest-29', 'jest-30'])('%s', async (jest) => {
      expect(await run(jest, 'resolve.test.js')).toContain(`Tests:       ${entries.length * 2} passed`);
    });

    it('control: jest-29 does not find a package without a target', async () => {
      await expect(run('jest-29', 'control.test.js')).rejects.toThrow("Cannot find module 'no-target'");
    });
  });

  describe.each(['vite-6', 'vite'])('%s', (vite) => {
    const build = (config: string) =>
      consumer.bin(
        'node',
        `node_modules/${vite}/bin/vite.js`,
        'build',
        'vite',
        '--config',
        join('vite', config),
        '--outDir',
        'out',
        '--emptyOutDir',
        '--minify=false',
      );

    it.each(['commonjs/vite.config.ts', 'module/vite.config.ts', 'cjs/vite.config.cjs'])(
      'in %s and in the app',
      async (config) => {
        await build(config);
        const [script = ''] = globSync(join(consumer.folder, 'vite/out/assets/index-*.js'));
        expect(readFileSync(script, 'utf8')).toContain('EmbeddedReport');
      },
    );

    it('control: not a package without a target', async () => {
      await expect(build('commonjs/control.config.ts')).rejects.toThrow('no-target');
    });
  });

  describe('TypeScript 5.9 under moduleResolution', () => {
    const imports = (names: readonly string[]) =>
      names
        .map((name, index) =>
          name.endsWith('.css') ? `import '${name}';` : `export * as entry${index} from '${name}';`,
        )
        .join('\n');
    // Under it, Vite itself has no types.
    const withoutVite = publicEntries.filter((name) => name !== '@vitrine/vite');

    it.each([
      ['node10', { 'node10.ts': withoutVite }],
      ['node16', { 'node16.mts': publicEntries, 'node16.cts': publicEntries }],
      ['bundler', { 'bundler.ts': publicEntries }],
    ])('%s (control: not an entry that does not exist)', async (resolution, files) => {
      for (const [file, names] of Object.entries(files))
        writeFileSync(
          join(consumer.folder, 'typescript', file),
          imports([...names, '@vitrine/express/nothing']),
        );
      const compiled = consumer.bin('tsc', '-p', `typescript/${resolution}.json`, '--pretty', 'false');
      const said = await compiled.catch((error: unknown) => String(error));
      expect(said.match(/error TS.*/g)).toEqual(
        Object.keys(files).map(() => expect.stringContaining("'@vitrine/express/nothing'")),
      );
    });
  });

  it('TypeScript 5.9, which writes the declarations of what a host makes of them', async () => {
    const wrappers = `import { createActions, sqliteInbox } from '@vitrine/express';
import { type PortalClient, type PortalError, type SyncPlan, usersFromJson } from '@vitrine/portal-client';
import { make } from './hidden.mjs';

export const ofClient = ({ users, items, audit, embeddedKeys, organizationUnits }: PortalClient) => ({ users, items, audit, embeddedKeys, organizationUnits });
export const user = async (client: PortalClient) => await client.users.get(1).withResponse();
export const pages = (client: PortalClient) => client.users.list().pages();
export const followed = (client: PortalClient) => client.audit.follow({});
export const applied = async (client: PortalClient, plan: SyncPlan) => (await client.applyPlan(plan)).failed;
export const planned = ({ counts, conflicts, source }: SyncPlan) => ({ counts, conflicts, source });
export const reading = () => usersFromJson('[]').reading();
export const explained = (error: PortalError) => [error.validationErrors, error.explain('option'), error.stats];
export const health = () => createActions({ inbox: sqliteInbox('a.db'), secrets: '', audience: 'nobody' }).health();
export const control = () => make();
`;
    // Control: an interface that its module does not export.
    const hidden = 'interface Hidden {}\nexport declare const make: () => Hidden;\nexport {};\n';
    const folder = join(consumer.folder, 'typescript');
    writeFileSync(join(folder, 'declarations.mts'), wrappers);
    writeFileSync(join(folder, 'hidden.d.mts'), hidden);
    const options =
      '--declaration --emitDeclarationOnly --strict --skipLibCheck --module nodenext --target es2024 --outDir out';
    const compiled = consumer.bin('tsc', join('typescript', 'declarations.mts'), ...options.split(' '));
    const said = await compiled.catch((error: unknown) => String(error));
    expect(said.match(/error TS.*/g)).toEqual([expect.stringContaining("name 'Hidden'")]);
  });

  describe("Yarn Plug'n'Play", () => {
    let strict: Consumer;
    beforeAll(async () => {
      const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
      const script = join(consumer.folder, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js');
      const manager = { ...yarn(script, [`npmRegistryServer: ${registry}`]), takesTarballs: true };
      strict = await createConsumer({ app: 'resolvers', packages, registry: peers, manager });
      cpSync(join(consumer.folder, 'entries.json'), join(strict.folder, 'entries.json'));
    });
    afterAll(() => strict?.remove());

    it.each(['import.mjs', 'require.cjs'])('%s', async (script) => {
      expect(await strict.bin('node', join('node', script))).toContain(`${entries.length} entries`);
    });
  });
});
