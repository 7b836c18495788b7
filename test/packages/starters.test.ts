import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { createTerminal, type Terminal } from './harness/createTerminal.ts';

let folder = '';
let terminal: Terminal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-create-'));
  terminal = createTerminal(folder, { npm_config_offline: 'true' });
});
afterEach(() => {
  terminal.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Starters whose packages the workspace itself has. */
it.each(['vite-express', 'hono'])(
  'create-vitrine writes the starter %s with code that compiles',
  async (kind) => {
    const tarball = join(inject('tarballs'), 'create-vitrine-0.1.0.tgz');
    const said = await terminal.run(
      `npm exec --yes --package "${tarball}" create-vitrine app -- --kind ${kind}`,
    );
    expect(said).toContain(`Created app from the starter ${kind}.`);
    for (const file of ['server/vitrine.ts', 'src/main.tsx', '.gitignore', 'README.md'])
      expect(readFileSync(join(folder, 'app', file), 'utf8')).toBe(
        readFileSync(join('examples', kind, file), 'utf8'),
      );
    symlinkSync(resolve('node_modules'), join(folder, 'app/node_modules'));
    const compile = () => terminal.run(`"${resolve('node_modules/.bin/tsc')}" -p app`);
    await compile();
    cpSync('test/packages/apps/fresh/express/server.js', join(folder, 'app/server/wrong.ts'));
    await expect(compile()).rejects.toThrow('wrong.ts');
  },
);
