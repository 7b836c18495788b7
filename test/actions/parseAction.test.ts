import { parseAction, type StoredDelivery } from '@vitrine/server/actions';
import { describe, expect, it } from 'vitest';
import captures from './captures/webhooks.json' with { type: 'json' };
import { clickBody, clickRow } from './support/samples.ts';

const deliveryOf = (body: unknown): StoredDelivery => ({
  id: '1',
  raw: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  receivedAtMs: Date.parse('2026-11-20T09:12:40Z'),
  state: 'pending',
  attempts: 0,
});
const eventOf = (body: unknown) => {
  const parsed = parseAction(deliveryOf(body));
  if (!parsed.isOk) throw new Error(parsed.reason);
  return parsed.event;
};
const captured = (name: string) => eventOf(captures.find((capture) => capture.name.startsWith(name))?.body);
const { metadata } = clickBody();
const withData = (...data: unknown[]) => eventOf({ metadata, visualData: [{ visual: 'v', data }] });

describe('a webhook body', () => {
  it.each(captures.map((capture) => [capture.name, capture] as const))(
    'is parsed: %s',
    (_, { body, rows }) => {
      const event = eventOf(body);
      expect(event.rows).toHaveLength(rows);
      expect(event.flatRows).toHaveLength(rows);
      expect(event.isUnparsed).toBe(_ === 'one odd point among good ones');
    },
  );

  it('has its visual data under any name, also after another list', () => {
    const body = { metadata, tags: [{ name: 'a' }], selected: clickBody().visualData };
    expect(eventOf(body)).toMatchObject({ rows: [clickRow], isUnparsed: false });
  });

  it('keeps a measure, which has no column', () => {
    expect(captured('measure target').rows[0]?.values).toEqual([
      { table: 'Measures', measure: 'Margin %', value: 0.1834, formattedValue: '18.3 %' },
    ]);
  });

  it('keeps the level of a hierarchy and a blank value, and accepts a missing one', () => {
    const [first, second] = captured('hierarchy level').rows;
    expect(first?.identity).toEqual([
      { table: 'Date', hierarchy: 'Calendar', level: 'Month', value: '2026-01-01T00:00:00.000Z' },
      { table: 'Geo', column: 'Region', value: null },
    ]);
    expect(second).toEqual({ identity: [{ table: 'Geo', column: 'Region', value: null }], values: [] });
  });

  it('keeps two aggregations of a column apart, and columns whose dotted names look alike', () => {
    expect(captured('two aggregations').flatRows).toEqual([
      { "'a.b'[c]": true, 'a[b.c]': 12345678901, 'Sum(S[A])': 10, 'Average(S[A])': 2.5 },
    ]);
  });

  it('cannot be changed by a handler, and flattens its rows once, when they are read', () => {
    const event = captured('measure target');
    expect(() => Object.assign(event, { currentUser: 8 })).toThrow(TypeError);
    expect(event.flatRows).toBe(event.flatRows);
  });

  it('flags the one invalid point and keeps everything else', () => {
    const [good, odd, empty] = captured('one odd point').rows;
    expect(good).toEqual({ identity: [{ table: 'Geo', column: 'Region', value: 'North' }], values: [] });
    expect(odd).toEqual({
      identity: [
        {
          table: 'Date',
          column: 'Day',
          value: '{"from":"2026-01-01","to":"2026-02-01"}',
          isUnparsed: true,
        },
      ],
      values: [{ value: '[1,2]', isUnparsed: true }],
      isUnparsed: true,
    });
    expect(empty).toEqual({ identity: [], values: [], isUnparsed: true });
  });
});

describe('a cleared selection', () => {
  it('is a clear when every visual has empty data', () => {
    expect(captured('deselection').isCleared).toBe(true);
    expect(eventOf({ metadata, visualData: [{ visual: 'v', data: null }] }).isCleared).toBe(true);
    expect(captured('data: null, and two visuals').isCleared).toBe(false);
  });

  it.each([
    ['there is no visual data', { metadata }],
    ['an empty array stands under another name', { metadata, tags: [] }],
    ['an empty array stands in flat metadata', { ...metadata, filters: [] }],
    ['an array holds only metadata', [metadata]],
    ['data is missing', { metadata, visualData: [{ visual: 'v' }] }],
    ['data is not an array', { metadata, visualData: [{ visual: 'v', data: 'x' }] }],
    ['a point is not an object', { metadata, visualData: [{ visual: 'v', data: [1] }] }],
  ])('is flagged as unparsed, not as cleared, when %s', (_, body) => {
    expect(eventOf(body)).toMatchObject({ isCleared: false, isUnparsed: true });
  });
});

describe('one invalid point among 2,000', () => {
  it.each([
    ['a number', 5],
    ['an identity that is not an array', { identity: 'x' }],
    ['an entry that is not an object', { identity: [3] }],
    ['a target that is missing', { values: [{ value: 1 }] }],
    ['a target without a column', { identity: [{ equals: 'a', target: { table: 'T' } }] }],
    ['a target of numbers', { identity: [{ equals: 'a', target: { table: 5, column: 6 } }] }],
    [
      'an aggregation that is a number',
      { values: [{ value: 1, target: { table: 'T', column: 'C', aggregationFunction: 5 } }] },
    ],
    ['neither identity nor values', { identity: null, values: null }],
  ])('leaves the other points unchanged: %s', (_, odd) => {
    const good = clickBody().visualData[0]!.data[0]!;
    const event = withData(...Array.from({ length: 1999 }, () => good), odd);
    expect(event.rows).toHaveLength(2000);
    expect(event.rows.filter(({ isUnparsed }) => isUnparsed)).toHaveLength(1);
    expect(event.isUnparsed).toBe(true);
  });
});

describe('a number', () => {
  const valueOf = (digits: string) =>
    eventOf(
      `{"metadata":${JSON.stringify(metadata)},"visualData":[{"data":[{"identity":[{"equals":${digits},"target":{"table":"T","column":"C"}}]}]}]}`,
    ).flatRows[0]?.['T[C]'];

  it.each(['9007199254740993', '-9007199254740993', '123456789012345678901234567890'])(
    'keeps its digits as text beyond 2^53: %s',
    (digits) => expect(valueOf(digits)).toBe(digits),
  );

  it.each(['1e400', '-1e400', '1.5e20', '9007199254740993.0', '9.007199254740993e15'])(
    'keeps its original text beyond 2^53: %s',
    (written) => expect(valueOf(written)).toBe(written),
  );

  it.each([
    ['9007199254740991', 9007199254740991],
    ['1.5e15', 1.5e15],
    ['-9007199254740991', -9007199254740991],
    ['123.0', 123],
    ['"1e400 9007199254740993 \\" 9007199254740993"', '1e400 9007199254740993 " 9007199254740993'],
    ['0.12345678901234567', Number('0.12345678901234567')],
    ['1e-300', 1e-300],
  ])('stays a number up to 2^53: %s', (digits, value) => expect(valueOf(digits)).toBe(value));
});
