import { expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { sized } from '../support/size.ts';
import { runFuzz } from './support/fuzz.ts';

const cases = sized(0, 50_000);

it(`ends in a result or a PortalError for ${cases} responses`, async () => {
  expect(await runFuzz({ cases, seed })).toMatchObject({ seed, cases, untyped: [], hung: 0 });
});
