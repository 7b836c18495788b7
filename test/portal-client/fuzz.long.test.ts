import { expect, it } from 'vitest';
import { seed } from '../support/seed.ts';
import { runFuzz } from './support/fuzz.ts';

it('holds for fifty thousand answers', { timeout: 600_000 }, async () => {
  expect(await runFuzz({ cases: 50_000, seed })).toMatchObject({ seed, cases: 50_000, untyped: [], hung: 0 });
});
