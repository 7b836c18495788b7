import { describe, expect, it } from 'vitest';
import { createTokenCheck } from '../../src/server/lib/actions/receive.ts';
import { createRandom } from '../support/createRandom.ts';
import { seed } from '../support/seed.ts';

const secret = 'k7Zq0Wc1N5yRt8uBf3sJ6xMa9vLe2hPd';
const samples = 200_000;
const random = createRandom(seed);

/** One memory region, so that only the characters differ. */
const flat = (text: string): string => Buffer.from(text).toString('latin1');
/** Differs from the secret in its first or its last character: a comparison that stops early takes a different time. */
const early = flat(`!${secret.slice(1)}`);
const late = flat(`${secret.slice(0, -1)}!`);

/** Welch's t of two series of durations without the slowest twentieth; a leak shows as a large value. */
const tOf = (check: (token: string) => boolean, repeats: number): number => {
  const series: [number[], number[]] = [[], []];
  let matches = 0;
  for (let n = 0; n < samples; n += 1) {
    const kind = random.below(2) === 0 ? 0 : 1;
    const token = kind === 0 ? early : late;
    const start = process.hrtime.bigint();
    for (let again = 0; again < repeats; again += 1) matches += Number(check(token));
    series[kind].push(Number(process.hrtime.bigint() - start));
  }
  // Used, so that the compiler does not remove the comparison.
  expect(matches).toBe(0);
  const [a, b] = series.map((times) => {
    const kept = times.toSorted((x, y) => x - y).slice(0, Math.floor(times.length * 0.95));
    const mean = kept.reduce((sum, time) => sum + time, 0) / kept.length;
    const variance = kept.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (kept.length - 1);
    return { mean, error: variance / kept.length };
  });
  return Math.abs((a!.mean - b!.mean) / Math.sqrt(a!.error + b!.error));
};

/** The lowest of three: a neighbor of the machine disturbs one, a leak shows in all. */
const lowestOf = (what: string, check: (token: string) => boolean, repeats: number): number => {
  const found = [1, 2, 3].map(() => tOf(check, repeats));
  process.stdout.write(`${what}: |t| ${found.map((t) => t.toFixed(1)).join(', ')}\n`);
  return Math.min(...found);
};

describe('the duration of the token comparison', () => {
  it('does not reveal where a wrong token first differs', () => {
    const checkToken = createTokenCheck(secret);
    expect(lowestOf('over digests', (token) => checkToken(token), 8)).toBeLessThan(4.5);
  });

  it('control: would reveal it if characters were compared one by one', () => {
    const byCharacter = (token: string): boolean => {
      for (let at = 0; at < secret.length; at += 1) if (token[at] !== secret[at]) return false;
      return token.length === secret.length;
    };
    expect(lowestOf('character by character', byCharacter, 8)).toBeGreaterThan(4.5);
  });

  it('control: would reveal it if whole texts were compared with ===', () => {
    expect(lowestOf('===', (token) => token === secret, 64)).toBeGreaterThan(4.5);
  });
});
