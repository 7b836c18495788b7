import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { sized } from '../support/size.ts';
import { onlyOurs } from './onlyOurs.ts';
import { compare } from './subjects.tsx';

const second = 1_000;
const minute = 60 * second;
const items = sized(50, 200);
const count = items * 5;

describe('many reports, five of each item, that fail at once', () => {
  it('all recover with the backend, and request one key per item', async () => {
    const findings = await compare(async ({ backend, environment, draw, report, frames, load }) => {
      const reports = Array.from({ length: count }, (_, index) => index);
      const states = (status: string) => document.querySelectorAll(`[data-state="${status}"]`).length;
      backend.respond = () => Promise.reject(new TypeError('Failed to fetch'));
      await draw(reports.map((index) => report({ itemId: 1 + (index % items) }, String(index))));
      const asked = backend.requests.length;
      const failed = states('failed');
      await act(() => environment.advance(5 * minute));
      backend.respond = undefined;
      const before = backend.requests.length;
      await act(() => environment.advance(40 * second));
      await load();
      const askedAgain = backend.requests.length - before;
      return { asked, failed, askedAgain, frames: frames().length, ready: states('ready') };
    });
    expect(findings).toEqual(
      onlyOurs({ asked: items, failed: count, askedAgain: items, frames: count, ready: count }),
    );
    // The control has no states; it fails because its reports do not return.
    expect(findings.control).toMatchObject({ askedAgain: 0, frames: 0 });
  });
});
