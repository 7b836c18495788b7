import { isProblemCode, problemCodes } from '@vitrine/contract';
import { describe, expect, it } from 'vitest';

const entries = Object.entries(problemCodes);

describe('the table of problem codes', () => {
  it('names every code in lower snake case', () => {
    for (const [code] of entries) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  it('gives every code an HTTP error status and a unique message', () => {
    for (const [, { status }] of entries) expect(status).toBeGreaterThanOrEqual(400);
    expect(new Set(entries.map(([, { title }]) => title)).size).toBe(entries.length);
  });

  it('gives every code a cause and an operator hint', () => {
    for (const [, { cause, hint }] of entries) {
      expect(cause).toMatch(/^\S.{20,}\.$/);
      expect(hint).toMatch(/^[A-Z].{20,}\.$/);
    }
  });

  it('recognizes its own codes, and no inherited property names', () => {
    expect(isProblemCode('signed_out')).toBe(true);
    for (const value of ['toString', '__proto__', 'SIGNED_OUT', '', null, 401])
      expect(isProblemCode(value)).toBe(false);
  });
});
