import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckContext, createContext } from '../../src/conformance/lib/createContext.ts';
import { sharedPortal } from '../conformance/support/sharedPortal.ts';
import { actionChoices } from './choices/actionChoices.ts';
import { auditChoices } from './choices/auditChoices.ts';
import { contentChoices } from './choices/contentChoices.ts';
import { errorChoices } from './choices/errorChoices.ts';
import { structureChoices } from './choices/structureChoices.ts';
import { userChoices } from './choices/userChoices.ts';
import { testDatabases } from './databases.ts';

const choices = [
  ...userChoices,
  ...structureChoices,
  ...contentChoices,
  ...auditChoices,
  ...errorChoices,
  ...actionChoices,
];

const [sqlite, postgres] = await testDatabases('choices');

const describeChoices = (database: string): void => {
  const started = sharedPortal(database);
  let context: CheckContext;
  beforeAll(() => {
    context = createContext(started().target, 'choices');
  });
  it.each(choices)('$title ($gap)', async ({ run }) => {
    expect(await run(context)).toBeUndefined();
  });
};

describe('our choices where the interface is silent, on SQLite', () => {
  describeChoices(sqlite?.address ?? ':memory:');
});

describe.skipIf(postgres === undefined)('our choices where the interface is silent, on Postgres', () => {
  describeChoices(postgres?.address ?? ':memory:');
  afterAll(() => postgres?.drop());
});

it('each row of docs/gaps.md has a test of our choice, and each test a row', () => {
  const rows = readFileSync('docs/gaps.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Gap '))
    .map((line) => line.split('|')[1]?.trim());
  expect(new Set(choices.map(({ gap }) => gap))).toEqual(new Set(rows));
});
