import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../../src/portal-client/lib/embedding/parseRetryAfter.ts';
import { fc } from '../../support/fc.ts';

const nowMs = Date.UTC(2026, 0, 1, 12);

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['7', 7000],
    [' 7 ', 7000],
    ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['999999999', 300_000],
    ['Fri, 01 Jan 2027 12:00:00 GMT', 300_000],
    [undefined, undefined],
    ['', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026-01-01', undefined],
    ['99999999999999999999', undefined],
  ])('%j means %j milliseconds', (value, expected) => {
    expect(parseRetryAfter(value, nowMs)).toBe(expected);
  });

  it('is never negative, endless or no number, whatever was sent', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const ms = parseRetryAfter(text, nowMs);
        expect(ms === undefined || (ms >= 0 && ms <= 300_000)).toBe(true);
      }),
    );
  });
});
