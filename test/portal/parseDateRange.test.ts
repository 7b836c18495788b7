import { expect, it } from 'vitest';
import { parseDateRange } from '../../src/portal/lib/clock/parseDateRange.ts';

const at = (text: string) => Date.parse(text);
const noStart = 'has a start that is not an ISO 8601 date; percent-encode a plus sign';
const noEnd = 'has an end that is not an ISO 8601 date; percent-encode a plus sign';
const notTwo = 'must be two ISO 8601 dates with a slash between them';

it.each([
  ['../..', {}],
  ['2026-03-01/..', { startMs: at('2026-03-01T00:00:00Z') }],
  ['20260301/..', { startMs: at('2026-03-01T00:00:00Z') }],
  ['../2026-03-01', { endMs: at('2026-03-02T00:00:00Z') }],
  ['../20260301', { endMs: at('2026-03-02T00:00:00Z') }],
  ['2026-03-01/2026-03-01', { startMs: at('2026-03-01T00:00:00Z'), endMs: at('2026-03-02T00:00:00Z') }],
  [
    '2026-03-01T12:00:00+02:00/2026-03-01T11:00:00Z',
    { startMs: at('2026-03-01T10:00:00Z'), endMs: at('2026-03-01T11:00:00Z') },
  ],
  [
    '2026-03-01T10:00:00Z/2026-03-01T10:00:00Z',
    { startMs: at('2026-03-01T10:00:00Z'), endMs: at('2026-03-01T10:00:00Z') },
  ],
  ['2026-03-01T10:00:00Z/2026-03-01T09:59:59Z', 'ends before it starts'],
  ['2026-03-02/2026-03-01', 'ends before it starts'],
  ['2026-03-03/2026-03-01', 'ends before it starts'],
  ['', notTwo],
  ['2026-03-01', notTwo],
  ['2026-03-01/2026-03-02/2026-03-03', notTwo],
  ['2026-02-30/2026-03-01', noStart],
  ['/2026-03-01', noStart],
  ['x2026-03-01/..', noStart],
  ['2026-03-01x/..', noStart],
  ['x20260301/..', noStart],
  ['2026-03-01/', noEnd],
  ['2026-03-01/2026-02-30', noEnd],
  ['2026-03-01/tomorrow', noEnd],
])('reads the range %j', (text, range) => {
  expect(parseDateRange(text)).toEqual(range);
});
