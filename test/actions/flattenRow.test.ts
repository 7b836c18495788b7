import { type ActionField, flattenRow } from '@vitrine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const flatNames = (...fields: Omit<ActionField, 'value'>[]) =>
  Object.keys(flattenRow({ identity: fields.map((field) => ({ ...field, value: null })), values: [] }));

describe('flattenRow', () => {
  it('names fields in DAX notation', () => {
    expect(
      flatNames(
        { table: 'Geo', column: 'Region' },
        { table: 'Measures', measure: 'Margin %' },
        { table: 'Date', hierarchy: 'Calendar', level: 'Month' },
        { table: 'Sales', column: 'Amount', aggregation: 'Sum' },
        { column: 'Region' },
        { table: "Year's end", column: 'a]b' },
      ),
    ).toEqual([
      'Geo[Region]',
      'Measures[Margin %]',
      'Date[Calendar].[Month]',
      'Sum(Sales[Amount])',
      '[Region]',
      "'Year''s end'[a]]b]",
    ]);
  });

  it('distinguishes a dot in a table name from a dot in a column name', () => {
    expect(flatNames({ table: 'a.b', column: 'c' }, { table: 'a', column: 'b.c' })).toEqual([
      "'a.b'[c]",
      'a[b.c]',
    ]);
  });

  it('gives two aggregations of one column the same names in either order', () => {
    const sum = { table: 'S', column: 'A', aggregation: 'Sum', value: 10 };
    const average = { table: 'S', column: 'A', aggregation: 'Average', value: 2.5 };
    const expected = { 'Sum(S[A])': 10, 'Average(S[A])': 2.5 };
    expect(flattenRow({ identity: [], values: [sum, average] })).toEqual(expected);
    expect(flattenRow({ identity: [], values: [average, sum] })).toEqual(expected);
  });

  it('numbers fields of the same column', () => {
    const fields = ['North', 'South', null].map((value) => ({ table: 'Geo', column: 'Region', value }));
    expect(flattenRow({ identity: fields, values: [] })).toEqual({
      'Geo[Region]': 'North',
      'Geo[Region] (2)': 'South',
      'Geo[Region] (3)': null,
    });
  });

  it('names thousands of equal fields quickly', () => {
    const fields = Array.from({ length: 5000 }, (_, value) => ({ table: 'T', column: 'C', value }));
    const startMs = performance.now();
    expect(flattenRow({ identity: fields, values: [] })['T[C] (5000)']).toBe(4999);
    expect(performance.now() - startMs).toBeLessThan(2000);
  });

  it('gives every field a unique name, whatever the names are', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', '.', '[', ']', "'", '(', ')', ' ', '2'),
      maxLength: 4,
    });
    const field = fc.record(
      {
        table: name,
        column: name,
        measure: name,
        hierarchy: name,
        level: name,
        aggregation: name,
        value: fc.nat(),
      },
      { requiredKeys: ['value'] },
    );
    fc.assert(
      fc.property(fc.array(field), fc.array(field), (identity, values) => {
        const flat = flattenRow({ identity, values });
        expect(Object.values(flat)).toEqual([...identity, ...values].map(({ value }) => value));
      }),
    );
  });
});
