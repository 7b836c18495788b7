import { createPortal, type Portal } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine, Tab } from '../../support/engines/engine.ts';
import { findMissingEngines } from '../../support/engines/findEngines.ts';
import { launchEngine } from '../../support/engines/launchEngine.ts';
import { waitUntil } from './checks.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await createPortal();
});
afterAll(() => portal?.close());

/** Presses a button by its name with the mouse, in the row or dialog that contains a text. */
const press = async (tab: Tab, name: string, inside = ''): Promise<void> => {
  await waitUntil(
    () =>
      tab.evaluate(
        (name: string, inside: string) => {
          document.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
          const places = [...document.querySelectorAll(inside === '' ? 'body' : 'tr, [role$="dialog"]')];
          const found = places
            .filter(({ textContent }) => textContent.includes(inside))
            .flatMap((place) => [...place.querySelectorAll('button')])
            .find(({ textContent }) => textContent === name);
          found?.setAttribute('data-pressed', '');
          return found !== undefined;
        },
        name,
        inside,
      ),
    (isThere) => isThere,
  );
  await tab.click('[data-pressed]');
};

/** Types a text into the field with this label, as React hears it. */
const fill = (tab: Tab, label: string, text: string): Promise<void> =>
  waitUntil(
    () =>
      tab.evaluate(
        (label: string, text: string) => {
          const found = [...document.querySelectorAll('input')].find((input) =>
            [...(input.labels ?? [])].some(({ textContent }) => textContent === label),
          );
          if (found === undefined) return false;
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(found, text);
          return found.dispatchEvent(new Event('input', { bubbles: true }));
        },
        label,
        text,
      ),
    (isThere) => isThere,
  ).then(() => undefined);

const rowsWith = (tab: Tab, text: string): Promise<number> =>
  tab.evaluate(
    (text: string) =>
      [...document.querySelectorAll('tbody tr')].filter(({ textContent }) => textContent.includes(text))
        .length,
    text,
  );

describe.each(['chromium', 'firefox', 'webkit'] as const)('the console in %s', (name) => {
  describe.skipIf(findMissingEngines().includes(name))('when it is there', () => {
    let engine: Engine;
    beforeAll(async () => {
      engine = await launchEngine(name);
    });
    afterAll(() => engine?.close());

    it('creates, finds, edits and removes a role', async () => {
      const { tenancyName } = await portal.createTenant();
      const tab = await engine.open();
      await tab.goto(`${portal.url}/#roles/${tenancyName}`);
      await press(tab, 'New role');
      await fill(tab, 'Name', 'Night shift');
      await fill(tab, 'Code', 'night-shift');
      await press(tab, 'Create role');
      await waitUntil(
        () => rowsWith(tab, 'night-shift'),
        (count) => count === 1,
      );
      await fill(tab, 'Search', 'NIGHT');
      await waitUntil(
        () => rowsWith(tab, ''),
        (count) => count === 1,
      );
      await press(tab, 'Edit', 'night-shift');
      await fill(tab, 'Name', 'Late shift');
      await press(tab, 'Save');
      await waitUntil(
        () => rowsWith(tab, 'Late shift'),
        (count) => count === 1,
      );
      await press(tab, 'Remove', 'Late shift');
      await press(tab, 'Remove', 'This cannot be undone.');
      await waitUntil(
        () => rowsWith(tab, 'night-shift'),
        (count) => count === 0,
      );
      const answer = await fetch(`${portal.url}/_control/tenants/${tenancyName}/lists/roles?search=shift`);
      expect(((await answer.json()) as { totalCount: number }).totalCount).toBe(0);
    });
  });
});
