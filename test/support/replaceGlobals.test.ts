import { expect, it } from 'vitest';
import { createAgenda } from './simulation/agenda.ts';
import { createMachine } from './simulation/machine.ts';
import { createVirtualEnvironment } from './virtualEnvironment.ts';

/** What {@link createVirtualEnvironment} replaces. */
const replaced = [
  [performance, 'now'],
  [Date, 'now'],
  [Math, 'random'],
  [navigator, 'onLine'],
  ...[
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'addEventListener',
    'removeEventListener',
    'document',
    'crossOriginIsolated',
    'IntersectionObserver',
  ].map((name) => [globalThis, name] as const),
] as const;

const read = () => replaced.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name));
const before = read();

it('replaces the browser of a page, also one that was replaced before', () => {
  createMachine(createAgenda(), () => 0.5);
  createVirtualEnvironment();
  for (const [index, property] of read().entries()) expect(property).not.toEqual(before[index]);
});

it('restores the browser when the test has ended', () => {
  expect(read()).toEqual(before);
});
