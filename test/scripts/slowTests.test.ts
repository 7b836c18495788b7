import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { slowTests, withoutSlowTests } from '../../scripts/slowTests.ts';

const projects = [...readFileSync('test/projects.ts', 'utf8').matchAll(/ name: '([\w-]+)'/g)].map(
  ([, name = '']) => ({ test: { name } }),
);

it.each(slowTests)('every file and project exists: $what', ({ files = [], projects: names = [] }) => {
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(projects.map(({ test }) => test.name)).toEqual(expect.arrayContaining([...names]));
});

it('npm test leaves them out, in projects with and without excluded files', () => {
  const own = { test: { name: 'node', exclude: ['own.test.ts'] } };
  const slow = { test: { name: 'dom-react-18' } };
  const [node, engines, ...more] = withoutSlowTests([own, slow, { test: { name: 'engines' } }]);
  expect(more).toEqual([]);
  expect(node?.test?.exclude).toEqual(
    expect.arrayContaining(['own.test.ts', 'test/conformance/foreign.test.ts']),
  );
  expect(engines?.test?.exclude).toContain('test/browser/engines/webkit.test.ts');
});

it('CI runs them', () => {
  for (const file of ['.ci/run', '.github/workflows/ci.yml'])
    expect(readFileSync(file, 'utf8')).toMatch(/npm test -- --all$/m);
});
