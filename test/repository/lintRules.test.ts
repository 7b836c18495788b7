import { describe, expect, it } from 'vitest';
import { lintFiles } from './lintFiles.ts';

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
