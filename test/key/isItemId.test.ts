import { isItemId } from '@vitrine/contract';
import { describe, expect, it } from 'vitest';

const refused = [
  0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  '1042',
  '',
  null,
  undefined,
  {},
  [1042],
  true,
];

describe('an Item ID', () => {
  it('is a positive integer that a JSON number represents exactly', () => {
    for (const value of [1, 1042, Number.MAX_SAFE_INTEGER]) expect(isItemId(value)).toBe(true);
  });

  it.each(refused)('is not %s', (value) => {
    expect(isItemId(value)).toBe(false);
  });
});
