import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { slowTests, withoutSlowTests } from '../../scripts/slowTests.ts';

const projects = [...readFileSync('scripts/vite/testProjects.ts', 'utf8').matchAll(/ name: '([\w-]+)'/g)].map(
  ([, name]) => name,
);

it.each(slowTests)('$what: every file and project exists', (slow) => {
  expect((slow.files ?? []).filter((file) => !existsSync(file))).toEqual([]);
  expect(projects).toEqual(expect.arrayContaining([...(slow.projects ?? [])]));
});

it('CI runs the slow tests', () => {
  for (const file of ['.ci/run', '.github/workflows/ci.yml'])
    expect(readFileSync(file, 'utf8')).toMatch(/npm test -- --all$/m);
});

it('npm test leaves them out', () => {
  expect(withoutSlowTests).toContain('test/browser/engines/webkit.test.ts');
  expect(withoutSlowTests).toContain('!dom-react-18');
});
