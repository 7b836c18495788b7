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

  it('gives every code an operator hint, and every server failure a log level above info', () => {
    for (const [, { hint }] of entries) expect(hint).toMatch(/^[A-Z].{20,}\.$/);
    for (const [code, { status, severity }] of entries)
      expect([code, severity === 'info']).toEqual([code, status < 500 && code !== 'cross_site_request']);
  });

  it('recognizes its own codes, and no inherited property names', () => {
    expect(isProblemCode('signed_out')).toBe(true);
    for (const value of ['toString', '__proto__', 'SIGNED_OUT', '', null, 401])
      expect(isProblemCode(value)).toBe(false);
  });
});
