import { createPortal, type Portal } from '@vitrine/portal';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultSeed } from '../../src/portal/lib/seed/defaultSeed.ts';
import { launchBrowser } from '../support/launchBrowser.ts';

const numbered = <T>(count: number, make: (number: string) => T): readonly T[] =>
  Array.from({ length: count }, (_, place) => make(String(place + 1).padStart(4, '0')));

let portal: Portal;
let browser: Browser;
beforeAll(async () => {
  const [acme, ...others] = defaultSeed.tenants;
  if (acme === undefined) throw new Error('The default seed has two tenants.');
  portal = await createPortal({
    seed: {
      ...defaultSeed,
      tenants: [
        {
          ...acme,
          roles: [
            ...(acme.roles ?? []),
            ...numbered(300, (number) => ({ name: `Team ${number}`, type: 'Report' })),
          ],
          organizationUnits: [
            ...(acme.organizationUnits ?? []),
            ...numbered(300, (number) => ({
              id: `branch-${number}`,
              name: `Branch ${number}`,
              parentId: 'root',
            })),
          ],
          users: [
            ...(acme.users ?? []),
            ...numbered(5000, (number) => ({
              type: 'UserPass',
              email: `person-${number}@acme.example`,
              firstName: 'Person',
              lastName: number,
            })),
          ],
        },
        ...others,
      ],
    },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await portal?.close();
});

const rows = (page: Page, text: string) => page.locator('tbody tr').filter({ hasText: text });

describe('the console with 300 roles, 300 units and 5,000 users', () => {
  it.each([
    [
      'users',
      'user',
      'Name',
      'person-',
      5000,
      { Email: 'zz@acme.example', 'First name': 'Zz', 'Last name': 'Top' },
    ],
    ['roles', 'role', 'Name', 'Team ', 300, { Name: 'Zz Top', Code: 'zz-top' }],
    ['organization-units', 'organizational unit', 'Path', 'Branch ', 300, { Name: 'Zz Top' }],
  ] as const)(
    'lists, searches, sorts, creates in sight, edits and removes %s',
    async (view, one, column, text, count, fields) => {
      const page = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
      await page.goto(`${portal.url}/#${view}/acme`);
      await page.getByText(new RegExp(`^1–25 of ${count + 7}|^1–25 of ${count + 8}`)).waitFor();
      const search = page.getByLabel('Search');
      await search.fill(`${text}0123`);
      await page.getByText('1 in total').waitFor();
      await search.fill(text);
      await page.getByText(`1–25 of ${count}`).waitFor();
      const first = () => page.locator('tbody tr').first().innerText();
      const sort = page.getByRole('columnheader', { name: column }).getByRole('button');
      await sort.click();
      await expect.poll(first).toContain('0001');
      await sort.click();
      await expect.poll(first).toContain(String(count).padStart(4, '0'));

      await page.getByRole('button', { name: `New ${one}` }).click();
      const dialog = page.getByRole('dialog');
      for (const [label, value] of Object.entries(fields))
        await dialog.getByLabel(label, { exact: true }).fill(value);
      await dialog.getByRole('button', { name: `Create ${one}` }).click();
      const created = rows(page, 'Zz Top');
      await created.waitFor();
      expect(await created.evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
      await created.getByRole('button', { name: 'Edit' }).click();
      await dialog.getByLabel(view === 'users' ? 'Last name' : 'Name').fill('Last');
      await dialog.getByRole('button', { name: 'Save' }).click();
      const edited = rows(page, 'Last');
      await edited.waitFor();
      await edited.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
      await edited.waitFor({ state: 'detached' });
      await page.context().close();
    },
  );

  it('offers all roles and units to a user', async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${portal.url}/#users/acme`);
    await page.getByLabel('Search').fill('person-4321@');
    await page.getByText('1 in total').waitFor();
    await rows(page, 'person-4321@').getByRole('button', { name: 'Edit' }).press('Enter');
    for (const [label, text] of [
      ['Roles', 'Team 0299'],
      ['Units', 'Branch 0288'],
    ] as const) {
      const field = page.getByRole('combobox', { name: label });
      const option = page.locator(`[id="${await field.getAttribute('list')}"] option[value*="${text}"]`);
      await option.waitFor({ state: 'attached' });
      await field.fill((await option.getAttribute('value')) ?? '');
      await page.getByRole('button', { name: new RegExp(`^Remove .*${text}`) }).waitFor();
    }
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await rows(page, 'person-4321@').getByText('Team 0299').waitFor();
    const answer = await fetch(`${portal.url}/_control/tenants/acme/lists/users?search=person-4321@`);
    const { items } = (await answer.json()) as { items: any[] };
    expect(items).toMatchObject([{ roles: ['Team 0299'], organizationUnits: [expect.any(String)] }]);
    await page.context().close();
  });
});
