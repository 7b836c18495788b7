import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  importDirections,
  lintOverrides,
  packageFolders,
  packageName,
} from '../../scripts/importDirections.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

interface LintProblem {
  readonly code: string;
  readonly filename: string;
  readonly message: string;
}

/** Lints files, by path, as if they were the whole project. */
const lintFiles = (files: Readonly<Record<string, string>>): readonly LintProblem[] => {
  const folder = temporaryFolder();
  copyFileSync('.oxlintrc.json', join(folder, '.oxlintrc.json'));
  for (const name of ['node_modules', 'scripts']) symlinkSync(resolve(name), join(folder, name));
  for (const [file, code] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  const args = ['--deny-warnings', '--format=json', 'src'];
  const { stdout } = spawnSync(resolve('node_modules/.bin/oxlint'), args, { cwd: folder, encoding: 'utf8' });
  return (JSON.parse(stdout) as { diagnostics: LintProblem[] }).diagnostics; // the output format of oxlint
};

const importing = (...specifiers: readonly string[]): string =>
  [
    ...specifiers.map((specifier, index) => `import type { Thing as Thing${index} } from '${specifier}';`),
    `export type Thing = ${specifiers.map((_, index) => `Thing${index}`).join(' | ') || 'string'};\n`,
  ].join('\n');

/** Files of a package whose imports run one way, through three folders and back up to a file. */
const oneWay: Readonly<Record<string, string>> = {
  'src/contract/lib/index.ts': importing('./routes/list.ts', './names.ts'),
  'src/contract/lib/names.ts': importing(),
  'src/contract/lib/routes/list.ts': importing('./paths/parts.ts', '../names.ts'),
  'src/contract/lib/routes/paths/parts.ts': importing('../../limits/sizes.ts'),
  'src/contract/lib/limits/sizes.ts': importing('../names.ts'),
  'src/contract/lib/limits/times.ts': importing(),
};

const problemsOf = (files: Readonly<Record<string, string>>) =>
  lintFiles({ ...oneWay, ...files }).map(({ code, filename, message }) => ({ code, filename, message }));

describe('lint', () => {
  it('accepts imports that run one way', () => {
    expect(problemsOf({})).toEqual([]);
  });

  it('rejects files that import each other, even if only types', () => {
    const problems = problemsOf({
      'src/contract/lib/limits/times.ts': importing('./sizes.ts'),
      'src/contract/lib/limits/sizes.ts': importing('./times.ts'),
    });
    expect(
      problems
        .filter(({ code }) => code === 'import(no-cycle)')
        .map(({ filename }) => filename)
        .toSorted(),
    ).toEqual(['src/contract/lib/limits/sizes.ts', 'src/contract/lib/limits/times.ts']);
  });

  it('rejects folders that import each other through different files, and shows the cycle', () => {
    const problems = problemsOf({ 'src/contract/lib/limits/times.ts': importing('../routes/list.ts') });
    expect(problems.map(({ filename }) => filename).toSorted()).toEqual([
      'src/contract/lib/limits/times.ts',
      'src/contract/lib/routes/paths/parts.ts',
    ]);
    expect(problems.find(({ filename }) => filename.endsWith('times.ts'))).toMatchObject({
      code: 'vitrine(no-folder-cycle)',
      message: expect.stringContaining(
        'The entries of src/contract/lib import each other in a cycle: limits → routes → limits.',
      ),
    });
  });

  it('rejects a folder and a file beside it that import each other', () => {
    const problems = problemsOf({ 'src/contract/lib/names.ts': importing('./limits/times.ts') });
    expect(problems.every(({ code }) => code === 'vitrine(no-folder-cycle)')).toBe(true);
    expect(problems.map(({ filename }) => filename).toSorted()).toEqual([
      'src/contract/lib/limits/sizes.ts',
      'src/contract/lib/names.ts',
    ]);
  });
});

describe('the table of import directions', () => {
  it('is in the lint rules (npm run format writes them)', () => {
    const { overrides } = JSON.parse(readFileSync('.oxlintrc.json', 'utf8')) as { overrides: object[] };
    expect(overrides).toEqual(expect.arrayContaining(lintOverrides()));
  });

  it('is what lint accepts: a package by its name, none of its files, and no Node in react', () => {
    const imports = packageFolders.flatMap((from) =>
      packageFolders
        .filter((to) => to !== from)
        .flatMap((to) => {
          const isAllowed = importDirections[from].mayImport.includes(to);
          return [
            { from, specifier: packageName(to), isAllowed },
            { from, specifier: `../../${to}/lib/index.ts`, isAllowed: false },
            ...(isAllowed ? [] : [{ from, specifier: `${packageName(to)}/entry`, isAllowed }]),
          ];
        }),
    );
    const probes = [...imports, { from: 'react', specifier: 'node:fs', isAllowed: false }].map(
      (probe, index) => ({ ...probe, file: `src/${probe.from}/lib/probe${index}.ts` }),
    );
    const problems = lintFiles(
      Object.fromEntries(
        probes.map(({ file, specifier }) => [
          file,
          `import { thing } from '${specifier}';\n\nexport const probe = thing;\n`,
        ]),
      ),
    );
    const rejected = new Set(
      problems.filter(({ code }) => code.includes('no-restricted-imports')).map(({ filename }) => filename),
    );
    expect(probes.filter(({ file }) => rejected.has(file))).toEqual(
      probes.filter(({ isAllowed }) => !isAllowed),
    );
  });
});
