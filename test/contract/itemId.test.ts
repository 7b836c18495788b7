import { isItemId } from '@vitrine/contract';
import { embedKeyRequestSchema } from '@vitrine/contract/schema';
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
  it('is a positive whole number that a JSON number carries exactly', () => {
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

  it('carries nothing about identity, or anything else', () => {
    for (const extra of [{ userId: 'a' }, { roleNames: [] }, { constructor: 1 }])
      expect(embedKeyRequestSchema.safeParse({ itemId: 1042, ...extra }).success).toBe(false);
  });

  it.each(refused)('does not take %s for an item ID', (itemId) => {
    expect(embedKeyRequestSchema.safeParse({ itemId }).success).toBe(false);
  });
});
