import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeBlocks } from '../packages/harness/codeBlocks.ts';

/** Pages whose files are built and type-checked in an app of their framework, and the test that does it. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/guides/nextjs.md': 'test/packages/nextApp.long.test.ts',
  'docs/guides/tanstack-start.md': 'test/packages/tanstackStart.long.test.ts', // its plugin generates route types
};
const pages = globSync(
  '{README.md,docs/**/*.md,src/*/README.md,src/cli/skills/**/*.md,src/*/lib/**/*.{ts,tsx}}',
  {
    exclude: ['**/node_modules/**', 'docs/reference/**'],
  },
).filter((page) => !(page in elsewhere));
const isTypeScript = ({ language }: { language: string }) => language === 'ts' || language === 'tsx';

/** Wraps members of an options object, such as `viewer: (req) => …`, in a module. */
const asModule = (code: string): string => {
  const [, imports = '', rest = ''] = /^((?:import .*\n|\n)*)([\s\S]*)$/.exec(code) ?? [];
  const isMember = /^\w+: /.test(rest);
  return `${imports}${isMember ? `({ ${rest} }) satisfies AnyOption;` : rest}\nexport {};\n`;
};

let folder = '';
beforeAll(() => {
  // In the workspace, so that its packages and their types are found, and where Vitest looks for no tests.
  mkdirSync('.vitrine', { recursive: true });
  folder = mkdtempSync('.vitrine/blocks-');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const shared = ['README.md', 'docs/components/embedded-report.md'].flatMap(codeBlocks).filter(isTypeScript);
  for (const page of pages) {
    const blocks = codeBlocks(page).filter(isTypeScript);
    if (blocks.length === 0) continue;
    const home = join(folder, page.replaceAll(/[/.]/g, '-'));
    // A page may import files that these two show.
    for (const { file = '', code } of shared.filter(({ file }) => file !== undefined))
      write(join(home, file), code);
    for (const [index, { file, language, code }] of blocks.entries())
      write(join(home, file ?? `block${index + 1}.${language}`), file === undefined ? asModule(code) : code);
    for (const place of ['', 'app/', 'app/routes/'])
      cpSync('test/stories/blocks/yourSignIn.ts', join(home, place, 'yourSignIn.ts'));
  }
  cpSync('test/stories/blocks/globals.ts', join(folder, 'globals.ts'));
  const tsconfig = { extends: '../../tsconfig.json', include: ['**/*.ts', '**/*.tsx'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const compile = async (): Promise<string[]> => {
  const run = promisify(execFile)('npx', ['tsc', '--noEmit', '--pretty', 'false', '-p', folder]);
  // tsc exits with an error code and prints the reason to stdout.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  return stdout
    .replaceAll(`${folder}/`, '')
    .trim()
    .split(/\n(?! )/);
};

it('the code of every page and docstring compiles (control: a wrong prop does not)', {
  timeout: 240_000,
}, async () => {
  writeFileSync(join(folder, 'control.tsx'), '<EmbeddedReport item={1042} />;\nexport {};\n');
  expect(await compile()).toEqual([expect.stringMatching(/^control\.tsx[^]*'item'/)]);
});

it.each(Object.entries(elsewhere))('the code of %s is built in an app with %s', (page, test) => {
  const source = readFileSync(test, 'utf8');
  expect(source).toContain(`guides: ['${basename(page, '.md')}']`);
  expect(source).toContain(".bin('tsc'");
});
