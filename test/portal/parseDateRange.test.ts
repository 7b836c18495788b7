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
  // Ordinal and week dates, reduced and fractional times, the end of a day.
  ['2026-060/2026-060', { startMs: at('2026-03-01T00:00:00Z'), endMs: at('2026-03-02T00:00:00Z') }],
  ['2026060/..', { startMs: at('2026-03-01T00:00:00Z') }],
  ['2026-W09-7/..', { startMs: at('2026-03-01T00:00:00Z') }],
  ['2026W097/..', { startMs: at('2026-03-01T00:00:00Z') }],
  ['2020-W53-5/..', { startMs: at('2021-01-01T00:00:00Z') }],
  ['2026-03-01T10Z/..', { startMs: at('2026-03-01T10:00:00Z') }],
  ['2026-03-01T10,5Z/..', { startMs: at('2026-03-01T10:30:00Z') }],
  ['20260301T1015.5Z/..', { startMs: at('2026-03-01T10:15:30Z') }],
  // A bound finer than a millisecond: a record of the whole one before it is before it.
  ['2026-03-01T10:00:00.5001Z/..', { startMs: at('2026-03-01T10:00:00.501Z') }],
  ['../2026-03-01T10:00:00.5001Z', { endMs: at('2026-03-01T10:00:00.501Z') }],
  ['../2026-03-01T23:59:59.999999999Z', { endMs: at('2026-03-02T00:00:00Z') }],
  ['2026-03-01T24:00:00Z/..', { startMs: at('2026-03-02T00:00:00Z') }],
  ['2026-060T10:00:00+0200/..', { startMs: at('2026-03-01T08:00:00Z') }],
  ['2026-366/..', noStart],
  ['2026-000/..', noStart],
  ['2026-W54-1/..', noStart],
  ['2026-W00-1/..', noStart],
  ['2026-0301/..', noStart],
  ['2026-03-01T24:00:01Z/..', noStart],
  ['2026-03-01T1000Z/..', noStart],
  ['2026-03-01T10:60Z/..', noStart],
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

it('reads every millisecond of a second as it is written', () => {
  const all = Array.from({ length: 1000 }, (_, ms) =>
    new Date(at('2026-03-01T10:00:00Z') + ms).toISOString(),
  );
  expect(all.map((text) => parseDateRange(`${text}/..`))).toEqual(all.map((text) => ({ startMs: at(text) })));
});
