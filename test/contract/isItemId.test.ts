import { isItemId } from '@vitrine/contract';
import { embedKeyRequestSchema } from '@vitrine/contract/service/schemas';
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

describe('the body of a key request', () => {
  it('is an item ID', () => {
    expect(embedKeyRequestSchema.parse({ itemId: 1042 })).toEqual({ itemId: 1042 });
  });

  it('contains no identity and no other field', () => {
    for (const extra of [{ userId: 'a' }, { roleNames: [] }, { constructor: 1 }])
      expect(embedKeyRequestSchema.safeParse({ itemId: 1042, ...extra }).success).toBe(false);
  });

  it.each(refused)('rejects %s as an item ID', (itemId) => {
    expect(embedKeyRequestSchema.safeParse({ itemId }).success).toBe(false);
  });
});
