import { expect, it } from 'vitest';
import { runFuzz } from './support/fuzz.ts';

it('holds for fifty thousand answers', { timeout: 600_000 }, async () => {
  const seed = Number(process.env['VITRINE_SEED'] ?? Date.now() % 2 ** 31);
  expect(await runFuzz({ cases: 50_000, seed })).toMatchObject({ seed, cases: 50_000, untyped: [], hung: 0 });
});
