import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/portal-client/lib/http.ts';
import { fc } from '../support/fc.ts';

const nowMs = Date.UTC(2026, 0, 1, 12);

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['7', 7000],
    [' 7 ', 7000],
    ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['Thursday, 01-Jan-26 12:00:30 GMT', 30_000],
    ['1.5', 1500],
    ['999999999', 999_999_999_000],
    ['Fri, 01 Jan 2027 12:00:00 GMT', 365 * 24 * 3_600_000],
    [undefined, undefined],
    ['', undefined],
    ['-1', undefined],
    ['soon', undefined],
    ['Soon 5', undefined],
    ['Thu, 01 Jan 2026 12:00:30', undefined],
    ['Xxx, 99 Xxx 2026 99:99:99 GMT', undefined],
    ['2026-01-01', undefined],
    ['99999999999999999999', undefined],
  ])('%j means %j milliseconds', (value, expected) => {
    expect(parseRetryAfter(value, nowMs)).toBe(expected);
  });

  it('is never negative, infinite or NaN, whatever was sent', () => {
    const date = fc.date({ noInvalidDate: true }).map((one) => one.toUTCString());
    const anything = fc.oneof(fc.string(), fc.double().map(String), date);
    fc.assert(
      fc.property(anything, (text) => {
        const ms = parseRetryAfter(text, nowMs);
        expect(ms === undefined || (ms >= 0 && Number.isFinite(ms))).toBe(true);
      }),
    );
  });
});
