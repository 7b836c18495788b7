import { readFile } from 'node:fs/promises';
import { createPortal, type Portal } from '@vitrine/portal';
import type { Browser, BrowserContext, Locator, Page, Request } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { faultEffectSchema } from '../../src/portal/lib/faults/faultSchema.ts';
import { findViolations, landmarksOf, rulesOfColors } from '../support/findViolations.ts';
import { launchBrowser } from '../support/launchBrowser.ts';

let portal: Portal;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  portal = await createPortal();
  browser = await launchBrowser();
  context = await browser.newContext();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
});
afterAll(async () => {
  await browser.close();
  await portal.close();
});

/**
 * Opens a view of the console, in the page of the test before: a new page costs twice as much CPU time. What the page
 * complains about fails the test.
 */
const open = async (view: string, tenancyName = 'acme'): Promise<{ page: Page; complaints: string[] }> => {
  const [page = await context.newPage(), ...others] = context.pages();
  for (const other of others) await other.close();
  await page.goto('about:blank');
  await page.unrouteAll();
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  await page.goto(`${portal.url}/#${view}/${tenancyName}`);
  await page.waitForSelector('.card');
  return { page, complaints };
};
const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
const rowOf = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });
/** Presses a button that asks first, and confirms it. */
const confirm = async (page: Page, button: Locator): Promise<void> => {
  const action = await button.innerText();
  await button.click();
  await page.getByRole('alertdialog').getByRole('button', { name: action }).click();
};
/** Chooses from the list of a field, which belongs to the browser, by entering the text of a choice. */
const choose = async (page: Page, label: string, text: string): Promise<void> => {
  const field = page.getByRole('combobox', { name: label });
  const option = page.locator(`[id="${await field.getAttribute('list')}"] option[value*="${text}"]`).first();
  await option.waitFor({ state: 'attached' });
  await field.fill((await option.getAttribute('value')) ?? '');
};
const list = async (tenancyName: string, name: string): Promise<any[]> => {
  const answer = await fetch(`${portal.url}/_control/tenants/${tenancyName}/lists/${name}`);
  return ((await answer.json()) as { items: any[] }).items;
};

const idOf = async (tenancyName: string, email: string): Promise<number> =>
  (await list(tenancyName, 'users')).find((user) => user.email === email).id;

const views = [
  'overview',
  'users',
  'roles',
  'organization-units',
  'items',
  'tasks',
  'links',
  'api-keys',
  'audit-logs',
  'preview',
  'embed',
  'requests',
  'deliveries',
  'tenants',
  'clock',
  'faults',
];

describe('the console', () => {
  describe('on one page, from view to view', () => {
    let opened: Awaited<ReturnType<typeof open>>;
    const asked: { readonly url: URL; readonly frame: string }[] = [];
    const record = (request: Request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http')) asked.push({ url, frame: request.frame().url() });
    };
    beforeAll(async () => {
      context.on('request', record);
      opened = await open('overview');
    });

    it.each(views)('shows %s without console messages or accessibility violations', async (view) => {
      const { page, complaints } = opened;
      complaints.length = 0;
      await page.goto(`${portal.url}/#${view}/acme`);
      await page.locator(`nav a[aria-current="page"][href*="#${view}"]`).waitFor({ state: 'attached' });
      await page.waitForSelector('.card');
      await page.emulateMedia({ colorScheme: 'light' });
      complaints.push(...(await findViolations(page)));
      // The other rules look at what is the same in the dark.
      await page.emulateMedia({ colorScheme: 'dark' });
      complaints.push(...(await findViolations(page, { rules: rulesOfColors })));
      expect(complaints).toEqual([]);
    });

    it('asks nothing of other machines, in any of them and in the report that the preview shows', async () => {
      const { page } = opened;
      const links = await page
        .locator('nav a[href^="#"]')
        .evaluateAll((all) => all.map((link) => /^#[\w-]+/.exec(link.getAttribute('href') ?? '')?.[0]));
      expect(new Set(links)).toEqual(new Set(views.map((view) => `#${view}`)));
      await page.goto(`${portal.url}/#preview/acme`);
      await page.frameLocator('iframe').locator('html[data-painted]').waitFor({ state: 'attached' });
      context.off('request', record);
      const ownHosts = new Set(
        [portal.url, ...portal.tenants.map(({ tenantUrl }) => tenantUrl)].map((one) => new URL(one).host),
      );
      expect(asked.length).toBeGreaterThan(views.length);
      expect(asked.filter(({ url }) => !ownHosts.has(url.host)).map(({ url }) => url.href)).toEqual([]);
      // What the report's own page asks stays on its origin: itself, its style, its script, and its key.
      const ofReport = asked.filter(({ frame }) => frame.includes('/report/'));
      expect(new Set(ofReport.map(({ url, frame }) => url.origin === new URL(frame).origin))).toEqual(
        new Set([true]),
      );
      // Twice.
      expect(ofReport.length).toBeLessThanOrEqual(8);
    });
  });

  it('says whether the clock stands', async () => {
    const { page } = await open('clock');
    const text = () => page.locator('.card p').last().innerText();
    await expect.poll(text).toBe('Running at 1 × speed, 0 s from real time.');
    onTestFinished(() => portal.clock.reset());
    portal.clock.freeze();
    await expect.poll(text, { timeout: 5000 }).toMatch(/^Frozen at 1 × speed/);
  });

  it('offers a copy of a secret only if it is known', async () => {
    const { tenancyName } = await portal.createTenant();
    const { page } = await open('overview', tenancyName);
    const copies = page.getByRole('button', { name: /^Copy (API key|Passphrase|Webhook secret)$/ });
    await page.getByText('not known here').first().waitFor();
    expect(await copies.evaluateAll((buttons) => buttons.map((button) => button.ariaLabel))).toEqual([
      'Copy Webhook secret',
    ]);
  });

  it('creates, edits and removes a user', async () => {
    const { tenancyName } = await portal.createTenant();
    const { page, complaints } = await open('users', tenancyName);
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Email').fill('new.person@acme.example');
    await page.getByLabel('First name').fill('New');
    await page.getByLabel('Last name').fill('Person');
    await choose(page, 'Roles', 'Viewer');
    complaints.push(...(await findViolations(page)));
    // In a field of choices it chooses; elsewhere it sends the form.
    await page.keyboard.press('Enter');
    expect(await page.getByRole('dialog').isVisible()).toBe(true);
    await page.getByLabel('Last name').press('Enter');
    await rowOf(page, 'new.person@acme.example').getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Last name').fill('Human');
    await page.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'New Human').waitFor();
    expect(await list(tenancyName, 'users')).toContainEqual(
      expect.objectContaining({ email: 'new.person@acme.example', lastName: 'Human', roles: ['Viewer'] }),
    );
    await confirm(page, rowOf(page, 'New Human').getByRole('button', { name: 'Remove' }));
    await rowOf(page, 'New Human').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    expect(complaints).toEqual([]);
  });

  it('creates and edits a user with an internationalized address, and shows a long name next to its buttons', async () => {
    const { tenancyName } = await portal.createTenant();
    const { page } = await open('users', tenancyName);
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Email').fill('müller@exämple.de');
    await page.getByLabel('First name').fill('F'.repeat(64));
    await page.getByLabel('Last name').fill('L'.repeat(64));
    await page.getByRole('button', { name: 'Create user' }).click();
    const row = rowOf(page, 'müller@exämple.de');
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Email').fill('müller@bücher.de');
    await page.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'müller@bücher.de').waitFor();
    for (const button of await page.getByRole('button', { name: 'Remove' }).all()) {
      const { x, width } = (await button.boundingBox()) ?? { x: Number.NaN, width: 0 };
      expect(x + width).toBeLessThan(1280);
    }
  });

  it('saves only the changed fields of a form, so that concurrent changes by others remain', async () => {
    const tenant = await portal.createTenant();
    const { page } = await open('users', tenant.tenancyName);
    const row = rowOf(page, 'sales.director@acme.example');
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('First name').waitFor();
    const meanwhile = { roles: ['Viewer', 'Region South'], lastName: 'Changed meanwhile' };
    await fetch(
      `${tenant.baseUrl}/v1/users/${await idOf(tenant.tenancyName, 'sales.director@acme.example')}`,
      {
        method: 'PATCH',
        headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(meanwhile),
      },
    );
    await page.getByLabel('First name').fill('Edited');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Edited Changed meanwhile').waitFor();
    const users = await list(tenant.tenancyName, 'users');
    expect(users.find(({ firstName }) => firstName === 'Edited')).toMatchObject(meanwhile);
  });

  describe('saves what was edited, and nothing that its form cannot show or that stayed as it was:', () => {
    let tenancyName: string;
    let page: Page;
    const ask = async (method: string, path: string, body: object): Promise<any> => {
      const answer = await fetch(`${portal.url}/_control/tenants/${tenancyName}/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.status === 204 ? undefined : answer.json();
    };
    const edit = async (view: string, text: string, change: (dialog: Locator) => Promise<void>) => {
      // The search of the view before is on the page until its event for the new address.
      await page.goto('about:blank');
      await page.goto(`${portal.url}/#${view}/${tenancyName}`);
      await page.getByLabel('Search').fill(text);
      await page.getByText('1 in total').waitFor();
      await rowOf(page, text).getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog');
      await change(dialog);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const numbered = (text: string) => Array.from({ length: 205 }, (_, place) => `${text} ${place + 1}`);
    const unitIds: string[] = [];

    beforeAll(async () => {
      ({ tenancyName } = await portal.createTenant());
      for (const name of numbered('Team')) await ask('POST', 'v1/roles', { name, type: 'Report' });
      for (const name of numbered('Branch'))
        unitIds.push((await ask('POST', 'v1/organization-units', { name, parentId: 'root' })).id);
      ({ page } = await open('users', tenancyName));
    });

    it('the roles and units of a user beyond the two hundredth', async () => {
      const email = 'many@acme.example';
      const roles = ['Viewer', 'Team 204'];
      const organizationUnits = unitIds.slice(203);
      const names = { firstName: 'Many', lastName: 'Roles' };
      await ask('POST', 'v1/users', { type: 'UserPass', email, ...names, roles, organizationUnits });
      const saved = async () => (await list(tenancyName, 'users?search=many@acme')).at(0);
      await edit('users', email, (dialog) => dialog.getByLabel('Last name').fill('Teams'));
      expect(await saved()).toMatchObject({ lastName: 'Teams', roles, organizationUnits });
      await edit('users', email, async (dialog) => {
        await choose(page, 'Roles', 'Team 205');
        await dialog.getByRole('button', { name: 'Remove /Branch 205' }).click();
      });
      const user = await saved();
      expect(new Set(user.roles)).toEqual(new Set([...roles, 'Team 205']));
      expect(user.organizationUnits).toEqual([unitIds[203]]);
    });

    it('a unit below one beyond the two hundredth', async () => {
      const [parentId] = unitIds.slice(-1);
      const { id } = await ask('POST', 'v1/organization-units', { name: 'Counter', parentId });
      await edit('organization-units', '/Counter', (dialog) => dialog.getByLabel('Name').fill('Desk'));
      const units = await list(tenancyName, 'organization-units?search=/Desk');
      expect(units).toMatchObject([{ id, name: 'Desk', parentId }]);
    });

    it('the roles of an item that are not Report roles', async () => {
      const { id } = await ask('POST', 'v1/items', {
        type: 'report',
        workspaceId: crypto.randomUUID(),
        reportId: crypto.randomUUID(),
        displayName: 'Guarded',
        roles: ['Tenant administrator', 'Region North', 'Team 205', 'Viewer'],
      });
      const saved = async () => (await list(tenancyName, 'items?search=guarded')).at(0);
      await edit('items', 'Guarded', (dialog) => dialog.getByLabel('Name').fill('Guarded well'));
      const roles = ['Region North', 'Team 205', 'Tenant administrator', 'Viewer'];
      const renamed = await saved();
      expect(renamed).toMatchObject({ id, displayName: 'Guarded well' });
      expect(new Set(renamed.roles)).toEqual(new Set(roles));
      await edit('items', 'Guarded', async (dialog) => {
        await dialog.getByRole('button', { name: 'Remove Viewer' }).click();
        await dialog.getByRole('button', { name: 'Remove Region North' }).click();
      });
      expect(new Set((await saved()).roles)).toEqual(new Set(['Team 205', 'Tenant administrator']));
    });

    it('the lines of a role’s description, and a name with spaces around', async () => {
      const { id } = await ask('POST', 'v1/roles', {
        name: 'Lines',
        type: 'RLS',
        code: 'lines',
        description: ' First.\nSecond. ',
      });
      const rule = { kind: 'equals', column: 'region', value: 'Far away' };
      await ask('PATCH', `roles/${id}`, { rule });
      await edit('roles', 'Lines', (dialog) => dialog.getByLabel('Code').fill('rows'));
      const description = ' First.\nSecond. ';
      expect(await list(tenancyName, 'roles?search=lines')).toMatchObject([
        { code: 'rows', description, rule },
      ]);
    });

    it('the visuals of a task, and its address', async () => {
      const visualNames = ['revenue-by-month', 'revenue-by-region'];
      await ask('POST', 'tasks', {
        name: 'Bound',
        itemId: 1042,
        visualNames,
        webhookUrl: 'http://a.example/',
      });
      await edit('tasks', 'Bound', (dialog) => dialog.getByLabel('Description').fill('Edited'));
      expect(await list(tenancyName, 'tasks?search=bound')).toMatchObject([
        { description: 'Edited', visualNames, reportId: 1042, webhookUrl: 'http://a.example/' },
      ]);
      await edit('tasks', 'Bound', async (dialog) => {
        const address = dialog.getByLabel('Webhook address');
        await address.fill('');
        await dialog.getByRole('button', { name: 'Save' }).click();
        expect(await address.evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true);
        await address.fill('http://b.example/');
      });
      expect((await list(tenancyName, 'tasks?search=bound')).at(0).webhookUrl).toBe('http://b.example/');
    });
  });

  it('reports the parts of a URL that match nothing', async () => {
    const { page } = await open('nothing', 'nobody');
    expect(await page.getByRole('status').first().textContent()).toBe(
      'There is no page #nothing/nobody. This is: Overview, acme.',
    );
  });

  it('keeps a form open and shows why the portal rejected it', async () => {
    const { page } = await open('users');
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Email').fill('administrator@acme.example');
    await page.getByLabel('First name').fill('Second');
    await page.getByLabel('Last name').fill('administrator');
    await page.getByRole('button', { name: 'Create user' }).click();
    const refusal = page.getByRole('alert').filter({ hasText: 'Email: another user' });
    await refusal.waitFor();
    expect(await page.getByLabel('First name').inputValue()).toBe('Second');
    // On a low screen it is in sight too, and the keyboard is in the field.
    await page.setViewportSize({ width: 1280, height: 420 });
    expect(await refusal.evaluate((text) => text.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('email');
  });

  it('names the field of an entry that the portal rejected', async () => {
    const { page } = await open('items');
    await page.getByRole('button', { name: 'New item' }).click();
    await page.getByLabel('Name').fill('Refused');
    await page.getByRole('button', { name: 'Add entry' }).click();
    await page.locator('.entry').getByLabel('Type').fill('dataset');
    await page.locator('.entry').getByLabel('ID', { exact: true }).fill('not-a-guid');
    await page.getByRole('button', { name: 'Create item' }).click();
    const refusal = page.getByRole('alert').filter({ hasText: 'GUID' });
    await refusal.waitFor();
    expect(await refusal.textContent()).toBe('Additional data 1, ID: must be a GUID');
  });

  it('says in red why a list could not be read, and reads it again by itself', async () => {
    const { page } = await open('overview');
    await page.route('**/lists/users*', (route) => route.abort());
    await page.getByRole('link', { name: 'Users' }).click();
    const failure = page.getByText('The portal is not responding.');
    expect(await failure.evaluate((text) => getComputedStyle(text).color)).toBe('rgb(179, 49, 63)');
    await page.unroute('**/lists/users*');
    await rowOf(page, 'administrator@acme.example').waitFor();
  });

  it('closes a dialog when its view is left, and reports a rejection that arrives later', async () => {
    const { page } = await open('overview');
    const dialog = page.getByRole('dialog');
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('button', { name: 'Details' }).first().click();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await page.goForward();
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Email').fill('administrator@acme.example');
    await page.getByLabel('First name').fill('Second');
    await page.getByLabel('Last name').fill('administrator');
    await page.route('**/v1/users', (route) => page.goBack().then(() => route.continue()));
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('status').filter({ hasText: 'Email' }).waitFor();
    await page.getByRole('heading', { name: 'Connection' }).waitFor();
    expect(await page.getByRole('status').first().textContent()).toContain('Email');
    expect(await dialog.count()).toBe(0);
  });

  it('creates, edits and removes a unit, also on a narrow screen', async () => {
    const { tenancyName } = await portal.createTenant();
    const { page, complaints } = await open('organization-units', tenancyName);
    await page.setViewportSize({ width: 375, height: 800 });
    await page.getByRole('button', { name: 'New organizational unit' }).click();
    await page.getByLabel('Name').fill('Partners');
    await page.getByRole('button', { name: 'Create organizational unit' }).click();
    await page.getByText('/Partners', { exact: true }).waitFor();
    const row = rowOf(page, '/Partners');
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Resellers');
    await choose(page, 'Below', '/Sales');
    complaints.push(...(await findViolations(page)));
    await page.getByRole('button', { name: 'Save' }).click();
    const moved = rowOf(page, '/Sales/Resellers');
    const remove = moved.getByRole('button', { name: 'Remove' });
    const { x, width } = (await remove.boundingBox()) ?? { x: Number.NaN, width: 0 };
    expect(x + width).toBeLessThan(375);
    await confirm(page, rowOf(page, '/Sales1').first().getByRole('button', { name: 'Remove' }));
    const question = page.getByRole('alertdialog');
    await question.getByText('remove or move those first').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await confirm(page, remove);
    await moved.waitFor({ state: 'detached' });
    const paths = (await list(tenancyName, 'organization-units')).map(({ path }) => path);
    expect(paths).not.toContain('/Sales/Resellers');
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
  });

  it('adds a rule to a role that was created through the interface', async () => {
    const tenant = await portal.createTenant();
    const created = await fetch(`${tenant.baseUrl}/v1/roles`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Grinders only', type: 'RLS', code: 'grinders' }),
    });
    expect(created.status).toBe(201);
    const { page } = await open('roles', tenant.tenancyName);
    const row = rowOf(page, 'Grinders only');
    await row.getByText('None').waitFor();
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Visible rows').selectOption('product = Grinders');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('product = Grinders').waitFor();
    expect(await row.locator('[data-title="Users"]').textContent()).toBe('0');
    const roles = await list(tenant.tenancyName, 'roles');
    expect(roles.find(({ code }) => code === 'grinders').rule).toEqual({
      kind: 'equals',
      column: 'product',
      value: 'Grinders',
    });
  });

  it('imports an item and binds a task to it, and never shows the secret of the task again', async () => {
    const { tenancyName } = await portal.createTenant();
    const { page } = await open('items', tenancyName);
    await page.getByRole('button', { name: 'New item' }).click();
    await page.getByLabel('Name').fill('My orders');
    await page.getByLabel('Report page').selectOption('orders');
    await page.getByRole('checkbox', { name: 'Filters rows' }).check();
    await page.getByRole('button', { name: 'Create item' }).click();
    await rowOf(page, 'My orders').waitFor();
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByRole('button', { name: 'New task' }).click();
    await page.getByLabel('Name').fill('Tell the host');
    await choose(page, 'Item', '1046 · My orders');
    // Neither visuals nor an address: it could never fire.
    await page.getByRole('button', { name: 'Create task' }).click();
    expect(await list(tenancyName, 'tasks')).toHaveLength(3);
    await choose(page, 'Visuals', 'orders-table');
    await page.getByLabel('Webhook address').fill('http://127.0.0.1:9/hook');
    await page.getByLabel('Secret').fill('a-secret-of-mine');
    await page.getByRole('button', { name: 'Create task' }).click();
    const row = rowOf(page, 'Tell the host');
    await row.getByText('http://127.0.0.1:9/hook').waitFor();
    await row.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel('New secret').inputValue()).toBe('');
    await choose(page, 'Visuals', 'orders-by-status');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('orders-by-status').waitFor();
    const task = (await list(tenancyName, 'tasks')).find(({ name }) => name === 'Tell the host');
    expect(task).toMatchObject({ hasSecret: true, reportId: 1046 });
    expect(await page.content()).not.toContain('a-secret-of-mine');
  });

  it('copies the .env file of a tenant, and a request as curl without its secrets', async () => {
    const [acme] = portal.tenants;
    if (acme === undefined) throw new Error('The default seed has two tenants.');
    const { page } = await open('overview');
    await page.getByRole('button', { name: 'Copy .env' }).click();
    expect(await clipboard(page)).toContain(`VITRINE_API_KEY=${acme.apiKey}\n`);
    await fetch(`${acme.baseUrl}/v1/roles?page=1`, { headers: { authorization: `Bearer ${acme.apiKey}` } });
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByLabel('Search').fill('/v1/roles');
    await rowOf(page, '/v1/roles').first().getByRole('button', { name: 'Copy as curl' }).click();
    const command = await clipboard(page);
    expect(command).toContain(`curl '${acme.baseUrl}/v1/roles?page=1'`);
    expect(command).toContain(`-H 'authorization: Bearer '"$VITRINE_API_KEY"''`);
    expect(command).not.toContain(acme.apiKey);
    const visitor = await context.newPage();
    await visitor.goto(`${acme.tenantUrl}/report/1042?ev=no-key`);
    await page.bringToFront();
    await page.getByLabel('Search').fill('failed');
    await rowOf(page, '/v1/roles?page=1').waitFor({ state: 'detached' });
    await rowOf(page, '/report/1042').first().getByRole('button', { name: 'Copy as curl' }).click();
    const visit = await clipboard(page);
    expect(visit).toContain(`curl '${acme.tenantUrl}/report/1042?ev='"$VITRINE_ENCRYPTED_KEY"''`);
  });

  it('sets any fault with a form', async () => {
    const { page } = await open('faults');
    await page.getByRole('button', { name: 'New fault' }).click();
    await page.getByRole('spinbutton', { name: 'Status' }).fill('418');
    await page.getByLabel('Message').fill('Short and stout');
    await page.getByLabel('Path').fill('/v1/tea*');
    await page.getByLabel('Only the requests').fill('2');
    await page.getByRole('button', { name: 'Create fault' }).click();
    await rowOf(page, '/v1/tea*').waitFor();
    const teapot = async () => (await fetch(`${portal.url}/v1/teapot`)).status;
    expect([await teapot(), await teapot(), await teapot()]).toEqual([404, 418, 404]);
    portal.faults.clear();
  });

  it('names the field of a fault that is out of range, and shows how often each fault fired', async () => {
    const { page } = await open('faults');
    await page.getByRole('button', { name: 'New fault' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Probability').fill('2');
    await page.getByRole('button', { name: 'Create fault' }).click();
    const focused = () =>
      page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent);
    expect(await focused()).toBe('Probability');
    expect(portal.faults.list()).toEqual([]);
    await dialog.getByLabel('Probability').fill('0.5');
    await page.getByRole('button', { name: 'Create fault' }).click();
    const shown = (text: string) =>
      page
        .locator('td:is([data-title="Fired"], [data-title="At most"], [data-title="Where"])')
        .getByText(text, { exact: true });
    await shown('–, probability 0.5').waitFor();
    await page.getByRole('button', { name: 'New fault' }).click();
    await dialog.getByLabel('Times').fill('3');
    await dialog.getByLabel('Method').fill('GET');
    await dialog.getByLabel('Only the requests').fill('1, 4');
    await page.getByRole('button', { name: 'Create fault' }).click();
    await shown('3').waitFor();
    await shown('everywhere, method GET, nth 1, 4').waitFor();
    expect(await shown('0').count()).toBe(2);
    portal.faults.clear();
  });

  it('takes a form out of the page when it is closed, not with the next frame', async () => {
    const { page } = await open('faults');
    await page.getByRole('button', { name: 'New fault' }).click();
    const leftOver = await page
      .getByRole('button', { name: 'Cancel' })
      .evaluate(async (cancel: HTMLElement) => {
        cancel.click();
        await new Promise<void>(queueMicrotask);
        return document.querySelectorAll('[role=dialog]').length;
      });
    expect(leftOver).toBe(0);
  });

  it('resets the portal to its seed', async () => {
    const own = await createPortal();
    const page = await (await browser.newContext()).newPage();
    await own.createTenant({ tenancyName: 'passing' });
    await page.goto(`${own.url}/#tenants/acme`);
    await rowOf(page, 'passing').last().waitFor();
    await confirm(page, page.getByRole('button', { name: 'Reset to seed' }));
    await rowOf(page, 'passing').waitFor({ state: 'detached' });
    expect(await page.getByRole('option', { name: 'passing' }).count()).toBe(0);
    await page.context().close();
    await own.close();
  });

  it('creates a role with its rule, and removes it again', async () => {
    const { tenancyName } = await portal.createTenant();
    const { page, complaints } = await open('roles', tenancyName);
    await page.getByRole('button', { name: 'New role' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Own rows');
    await page.getByLabel('Code', { exact: true }).fill('own-rows');
    await page.getByLabel('Visible rows').selectOption('owner = USERNAME()');
    await page.getByRole('button', { name: 'Create role' }).click();
    const row = rowOf(page, 'own-rows');
    await row.getByText('owner = USERNAME()').waitFor();
    const { rule } = (await list(tenancyName, 'roles')).find(({ code }) => code === 'own-rows');
    expect(rule).toEqual({ kind: 'username', column: 'owner' });
    await confirm(page, row.getByRole('button', { name: 'Remove' }));
    await row.waitFor({ state: 'detached' });
    expect((await list(tenancyName, 'roles')).map(({ code }) => code)).not.toContain('own-rows');
    expect(complaints).toEqual([]);
  });

  it('takes a new role back whose rule cannot be saved, and creates it with the second try', async () => {
    const { tenancyName } = await portal.createTenant();
    const { page } = await open('roles', tenancyName);
    const changes = /roles\/\d+$/;
    await page.route(changes, (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'New role' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Half');
    await page.getByLabel('Code', { exact: true }).fill('half');
    await page.getByLabel('Visible rows').selectOption('All rows');
    await page.getByRole('button', { name: 'Create role' }).click();
    await page.getByText('The portal is not responding.').waitFor();
    const rules = async () =>
      (await list(tenancyName, 'roles')).flatMap(({ code, rule }) => (code === 'half' ? [rule] : []));
    expect(await rules()).toEqual([]);
    await page.unroute(changes);
    await page.getByRole('button', { name: 'Create role' }).click();
    await rowOf(page, 'half').getByText('All rows').waitFor();
    expect(await rules()).toEqual([{ kind: 'all' }]);
  });

  it('edits and removes an item, and removes a task', async () => {
    const { tenancyName } = await portal.createTenant();
    const { page, complaints } = await open('items', tenancyName);
    await rowOf(page, 'Order book').getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('Orders of today');
    await page.getByLabel('Type').first().fill('scorecard');
    await page.getByLabel('Workspace').fill('6f1d2c3b-4a5e-4f60-8b7c-9d0e1f2a3b4c');
    await page.getByRole('button', { name: 'Remove entry' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    const item = rowOf(page, 'Orders of today');
    await item.waitFor();
    expect(await list(tenancyName, 'items')).toContainEqual(
      expect.objectContaining({
        displayName: 'Orders of today',
        type: 'scorecard',
        workspaceId: '6f1d2c3b-4a5e-4f60-8b7c-9d0e1f2a3b4c',
        additionalData: [],
      }),
    );
    await confirm(page, item.getByRole('button', { name: 'Remove' }));
    await item.waitFor({ state: 'detached' });
    expect((await list(tenancyName, 'items')).map(({ id }) => id)).not.toContain(1044);
    await page.getByRole('link', { name: 'Tasks' }).click();
    const task = rowOf(page, 'Nightly revenue check');
    await confirm(page, task.getByRole('button', { name: 'Remove' }));
    await task.waitFor({ state: 'detached' });
    expect((await list(tenancyName, 'tasks')).map(({ name }) => name)).not.toContain('Nightly revenue check');
    expect(complaints).toEqual([]);
  });

  it.each(['users', 'roles', 'organization-units', 'items', 'tasks', 'links', 'audit-logs'])(
    'pages and searches %s',
    async (name) => {
      const { tenancyName } = await portal.createTenant();
      const create = (path: string, body: object) =>
        fetch(`${portal.url}/_control/tenants/${tenancyName}/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      for (let number = 10; number < 36; number += 1) {
        const text = `searched-${number}`;
        const bodies: Readonly<Record<string, readonly [path: string, body: object]>> = {
          roles: ['v1/roles', { name: text, type: 'Report' }],
          'organization-units': ['v1/organization-units', { name: text, parentId: 'root' }],
          items: [
            'v1/items',
            {
              type: 'report',
              workspaceId: crypto.randomUUID(),
              reportId: crypto.randomUUID(),
              displayName: text,
            },
          ],
          tasks: ['tasks', { name: text, itemId: 1042, visualNames: ['kpi-units'] }],
          links: ['keys', { itemId: 1042, userId: text }],
        };
        const user = { type: 'UserPass', email: `${text}@acme.example`, firstName: 'A', lastName: 'B' };
        const [path, body] = bodies[name] ?? ['v1/users', user];
        expect((await create(path, body)).status).toBe(201);
      }
      const { page } = await open(name, tenancyName);
      const next = page.getByRole('button', { name: 'Next' });
      await next.click();
      await page.getByText(/^26–\d+ of \d+$/).waitFor();
      await page.getByLabel('Search').fill('SEARCHED-23');
      await page.getByText('1 in total').waitFor();
      await rowOf(page, 'searched-23').waitFor();
      expect(await next.isVisible()).toBe(false);
    },
  );

  it('shows a new row among many, sorts, and finds a choice among hundreds', async () => {
    const tenant = await portal.createTenant();
    const { tenancyName } = tenant;
    const create = (path: string, body: object) =>
      fetch(`${portal.url}/_control/tenants/${tenancyName}/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    for (let number = 0; number < 300; number += 1)
      await create('roles', { name: `Team ${number}`, type: 'Report' });
    const { page } = await open('roles', tenancyName);
    await page.getByLabel('Search').fill('Team 1');
    await page.getByRole('button', { name: 'New role' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Zulu');
    await page.getByLabel('Type').selectOption('Report');
    await page.getByRole('button', { name: 'Create role' }).click();
    const row = rowOf(page, 'Zulu');
    await row.waitFor();
    await page.getByText(/^301–309 of 309$/).waitFor();
    expect(await row.evaluate((line) => line.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
    const firstName = () => page.locator('tbody tr').first().locator('td').first().innerText();
    await page.getByRole('button', { name: 'Name' }).click();
    await expect.poll(firstName).toBe('All regions');
    await page.getByRole('button', { name: 'Name' }).click();
    await expect.poll(firstName).toBe('Zulu');
    expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    await page.setViewportSize({ width: 375, height: 800 });
    await page.reload();
    await expect.poll(firstName).toBe('Zulu');
    await page.getByRole('button', { name: 'Name' }).click();
    await expect.poll(firstName).not.toBe('Zulu');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByLabel('Search').fill(' Team 1 ');
    await page.getByText(/^1–25 of 111$/).waitFor();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByText('7 in total').waitFor();
    expect(await page.title()).toBe(`Users, ${tenancyName} – Vitrine portal`);
    await page.goBack();
    await page.getByText(/^1–25 of 111$/).waitFor();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Email').fill('last@acme.example');
    await page.getByLabel('First name').fill('Last');
    await page.getByLabel('Last name').fill('Role');
    await choose(page, 'Roles', 'Team 299');
    await page.getByRole('button', { name: 'Create user' }).click();
    await rowOf(page, 'last@acme.example').getByText('Team 299').waitFor();
  });

  it('issues an API key that works and is shown once, and revokes it', async () => {
    const tenant = await portal.createTenant();
    const { page } = await open('api-keys', tenant.tenancyName);
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name').fill('As offered');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await rowOf(page, 'As offered').getByText('all', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name').fill('Roles only');
    await page.getByRole('button', { name: 'Remove Administration.ItemLinks.BiItems' }).click();
    await page.getByRole('button', { name: 'Remove Administration.BiReports.Create' }).click();
    await page.getByRole('button', { name: 'Create API key' }).click();
    const permissions = page.getByRole('combobox', { name: 'Permissions' });
    expect(await permissions.evaluate((input: HTMLInputElement) => input.validity.valueMissing)).toBe(true);
    await choose(page, 'Permissions', 'Administration.Roles');
    await page.getByRole('button', { name: 'Create API key' }).click();
    const once = page.getByRole('dialog', { name: 'The new API key' });
    expect(await once.innerText()).not.toContain('development-only-api-key');
    await once.getByRole('button', { name: 'Show API key' }).click();
    const apiKey = await once.locator('code').innerText();
    const status = async (path: string) =>
      (await fetch(tenant.baseUrl + path, { headers: { authorization: `Bearer ${apiKey}` } })).status;
    expect([await status('/v1/roles'), await status('/v1/users')]).toEqual([200, 403]);
    await once.getByRole('button', { name: 'Close' }).click();
    await once.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(apiKey);
    await confirm(page, rowOf(page, 'Roles only').getByRole('button', { name: 'Revoke' }));
    await rowOf(page, 'Roles only').waitFor({ state: 'detached' });
    expect(await status('/v1/roles')).toBe(401);
  });

  it('chooses what was typed by its name, its text or a part of it, and refuses what is not in the list', async () => {
    const { tenancyName } = await portal.createTenant();
    const { page } = await open('users', tenancyName);
    await page.getByRole('button', { name: 'New user' }).click();
    await page.getByLabel('Email').fill('typed@acme.example');
    await page.getByLabel('First name').fill('Typed');
    await page.getByLabel('Last name').fill('Words');
    const roles = page.getByRole('combobox', { name: 'Roles' });
    const create = page.getByRole('button', { name: 'Create user' });
    await page.locator('option[value^="Viewer"]').waitFor({ state: 'attached' });
    await roles.fill('Viewerr');
    await create.click();
    const refusal = '“Viewerr” is not in the list. Choose one from the list, or clear the field.';
    await page.getByRole('alert').getByText(refusal).waitFor();
    expect(await roles.evaluate((input: HTMLInputElement) => input.validationMessage)).toBe(refusal);
    expect(await roles.inputValue()).toBe('Viewerr');
    expect(await list(tenancyName, 'users?search=typed@')).toEqual([]);
    await roles.fill('Viewer');
    await roles.press('Enter');
    const viewer = page.getByRole('button', { name: /^Remove Viewer/ });
    await viewer.press('Enter');
    await viewer.waitFor({ state: 'detached' });
    expect(await roles.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('viewe');
    await page.keyboard.press('Tab');
    await viewer.waitFor();
    await page.getByRole('combobox', { name: 'Units' }).fill('/Sales');
    await create.click();
    await rowOf(page, 'typed@acme.example').waitFor();
    const units = await list(tenancyName, 'organization-units');
    expect(await list(tenancyName, 'users?search=typed@')).toMatchObject([
      { roles: ['Viewer'], organizationUnits: [units.find(({ path }) => path === '/Sales').id] },
    ]);
  });

  it.each([
    ['organization-units', 'New organizational unit', 'Below', '/Sales/North'],
    ['tasks', 'New task', 'Item', '1043'],
    ['audit-logs', undefined, 'Person', 'sales.director@acme.example'],
  ])(
    'takes what was typed in a field of one, in %s, and keeps what it does not know',
    async (view, button, label, text) => {
      const { tenancyName } = await portal.createTenant();
      const { page } = await open(view, tenancyName);
      if (button !== undefined) await page.getByRole('button', { name: button }).click();
      const field = page.getByRole('combobox', { name: label });
      await page.locator(`option[value*="${text}"]`).first().waitFor({ state: 'attached' });
      await field.fill('Nowhere');
      await field.press('Tab');
      await page.getByText('“Nowhere” is not in the list.').waitFor();
      expect(await field.inputValue()).toBe('Nowhere');
      await field.fill(text);
      await field.press('Tab');
      await expect.poll(() => field.inputValue()).toMatch(new RegExp(`${text} · |· ${text}|^${text}$`));
      await page.getByText('is not in the list').waitFor({ state: 'detached' });
    },
  );

  it('shows the report and the user that were typed, and says whose roles they are', async () => {
    const { page } = await open('preview');
    const report = page.getByRole('combobox', { name: 'Report' });
    await page.locator('option[value^="1043"]').waitFor({ state: 'attached' });
    await report.fill('1043');
    await report.press('Tab');
    await page.locator('iframe[src*="/report/1043"]').waitFor();
    const user = page.getByRole('combobox', { name: 'User' });
    await user.fill('someone.else@acme.example');
    await user.press('Enter');
    await page.frameLocator('iframe').getByText('someone.else@acme.example').waitFor();
    expect(await page.getByText('Another user does not change them.').isVisible()).toBe(true);
    expect(new URL(page.url()).hash).toBe('#preview/acme/1043?userId=someone.else%40acme.example');
    await page.reload();
    await page.frameLocator('iframe').getByText('someone.else@acme.example').waitFor();
    await page.goBack();
    await page.locator('iframe[src*="/report/1042"]').waitFor();
  });

  it('keeps an edited dialog open on Escape, however often, and closes an unedited one', async () => {
    const { page } = await open('roles');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New role' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'New role' }).click();
    await dialog.getByLabel('Name').fill('Kept');
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Kept');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('asks before Escape, Back or Reload loses what a dialog holds', async () => {
    const { page } = await open('overview');
    const dialog = page.getByRole('dialog');
    const questions: string[] = [];
    let answer = false;
    page.on('dialog', (question) => {
      questions.push(question.type());
      return answer ? question.accept() : question.dismiss();
    });
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('button', { name: 'New user' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(questions).toEqual([]);
    await page.getByRole('button', { name: 'New user' }).click();
    await dialog.getByLabel('Email').fill('kept@acme.example');
    await page.keyboard.press('Escape');
    await page.evaluate(() => window.history.back());
    await expect.poll(() => questions).toEqual(['confirm', 'confirm']);
    expect(new URL(page.url()).hash).toBe('#users/acme');
    await page.reload({ timeout: 2000 }).catch(() => {});
    expect(questions).toEqual(['confirm', 'confirm', 'beforeunload']);
    expect(await dialog.getByLabel('Email').inputValue()).toBe('kept@acme.example');
    answer = true;
    await page.evaluate(() => window.history.back());
    await page.getByRole('heading', { name: 'Connection' }).waitFor();
    expect(await dialog.count()).toBe(0);
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name').fill('Unseen');
    await page.getByRole('button', { name: 'Create API key' }).click();
    answer = false;
    await dialog.getByRole('button', { name: 'Show API key' }).click();
    await dialog.getByText('development-only').waitFor();
    await dialog.getByRole('button', { name: 'Hide API key' }).click();
    expect(await dialog.innerText()).not.toContain('development-only');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Show API key' }).waitFor();
    // It still asks, and the answer is no.
    await page.close();
  });

  it('says that someone else changed the same field meanwhile, and replaces it with the second try', async () => {
    const { tenancyName } = await portal.createTenant();
    const { page } = await open('users', tenancyName);
    const other = await context.newPage();
    await other.goto(page.url());
    for (const [one, firstName] of [
      [page, 'Second'],
      [other, 'First'],
    ] as const) {
      await rowOf(one, 'sales.director@').getByRole('button', { name: 'Edit' }).click();
      await one.getByLabel('First name').fill(firstName);
    }
    await other.getByRole('button', { name: 'Save' }).click();
    await rowOf(other, 'First director').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('First name was changed by someone else meanwhile: it is First.').waitFor();
    expect(await list(tenancyName, 'users?search=First director')).toHaveLength(1);
    await page.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Second director').waitFor();
  });

  it('starts in the first field of a form, marks what is required, and returns to the one that is refused', async () => {
    const { page } = await open('users');
    await page.getByRole('button', { name: 'New user' }).click();
    const focused = () => page.evaluate(() => (document.activeElement as HTMLInputElement).name);
    expect(await focused()).toBe('type');
    const marks = page.getByRole('dialog').locator('label');
    expect(
      await marks.evaluateAll((labels) =>
        labels
          .filter((label) => getComputedStyle(label, '::after').content !== 'none')
          .map((label) => label.textContent),
      ),
    ).toEqual(['Type', 'Email', 'First name', 'Last name']);
    await page.getByLabel('Email').fill('administrator@acme.example');
    await page.getByLabel('First name').fill('Second');
    await page.getByLabel('Last name').fill('administrator');
    await page.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('alert').getByText('Email: another user').waitFor();
    expect(await focused()).toBe('email');
  });

  it('shows the name of a unit with a slash as it is, and names what it cannot show', async () => {
    const { tenancyName } = await portal.createTenant();
    const { page } = await open('organization-units', tenancyName);
    await page.getByRole('button', { name: 'New organizational unit' }).click();
    await page.getByLabel('Name').fill('Team / ~Ost');
    await page.getByRole('button', { name: 'Create organizational unit' }).click();
    await page.getByText('/Team / ~Ost', { exact: true }).waitFor();
    expect((await list(tenancyName, 'organization-units')).at(-1).path).toBe('/Team ~1 ~0Ost');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByLabel('From (UTC)').fill('2026-02-02');
    await page.getByLabel('To (UTC)').fill('2026-02-01');
    await page.getByText('From, to (UTC): ends before it starts').waitFor();
    await page.goto(`${portal.url}/#preview/${tenancyName}/99999`);
    await page.getByText('This tenant has no item 99999.').waitFor();
  });

  it('creates, changes and removes a tenant, and synchronizes a unit with its directory group', async () => {
    const { page } = await open('tenants');
    await page.getByRole('button', { name: 'New tenant' }).click();
    await page.getByLabel('Tenancy name').fill('from-console');
    await page.getByRole('button', { name: 'Create tenant' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    const row = rowOf(page, 'from-console').last();
    await row.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Address of all webhooks').fill('http://127.0.0.1:9/all');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await list('from-console', 'tasks')).map(({ webhookUrl }) => webhookUrl))
      .toContain('http://127.0.0.1:9/all');
    await page.goto(`${portal.url}/#organization-units/from-console`);
    await rowOf(page, '/Sales/North').getByRole('button', { name: 'Synchronize' }).click();
    await page.getByText('/Sales/North is synchronized with its directory group').waitFor();
    await page.goto(`${portal.url}/#tenants/acme`);
    await page.getByLabel('Search').fill('from-console');
    await confirm(page, row.getByRole('button', { name: 'Remove' }));
    await row.waitFor({ state: 'detached' });
    expect((await fetch(`${portal.url}/_control/tenants/from-console/lists/users`)).status).toBe(404);
  });

  it('shows the secrets of a new tenant once, with which a host app gets its keys', async () => {
    const { page, complaints } = await open('tenants');
    await page.getByRole('button', { name: 'New tenant' }).click();
    await page.getByLabel('Tenancy name').fill('connected');
    await page.getByRole('button', { name: 'Create tenant' }).click();
    const once = page.getByRole('dialog', { name: 'The new tenant' });
    await once.getByText('never again').waitFor();
    expect(await once.innerText()).not.toContain('development-only');
    complaints.push(...(await findViolations(page)));
    await once.getByRole('button', { name: 'Copy .env.local' }).click();
    const env = new Map(
      (await clipboard(page)).split('\n').map((line) => line.split('=') as [name: string, value: string]),
    );
    await once.getByRole('button', { name: 'Show Passphrase' }).click();
    await once.getByText(env.get('VITRINE_PASSPHRASE') ?? 'none', { exact: true }).waitFor();
    const answer = await fetch(
      `${env.get('VITRINE_API_BASE_URL')}/api/services/app/ItemLinks/CreateEncryptedKey`,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'Svc.TenantId': env.get('VITRINE_TENANT_ID') ?? '',
          authorization: `ApiKey ${env.get('VITRINE_API_KEY')}`,
        },
        body: JSON.stringify({
          value: { userId: 'someone@acme.example', reportId: 1042 },
          passPhrase: env.get('VITRINE_PASSPHRASE'),
          tenancyName: 'connected',
        }),
      },
    );
    expect(answer.status).toBe(200);
    await once.getByRole('button', { name: 'Close' }).click();
    await rowOf(page, 'connected').last().waitFor();
    expect(await page.content()).not.toContain(env.get('VITRINE_PASSPHRASE'));
    expect(complaints).toEqual([]);
    await portal.removeTenant('connected');
  });

  it('issues a key with its address and expiry, as a link', async () => {
    const { tenancyName } = await portal.createTenant();
    const { page } = await open('links', tenancyName);
    await page.getByRole('button', { name: 'New link' }).click();
    await choose(page, 'Item', '1042');
    await page.getByLabel('User').fill('someone@acme.example');
    await choose(page, 'RLS roles', 'region-north');
    await page.getByRole('button', { name: 'Create link' }).click();
    const once = page.getByRole('dialog', { name: 'The new link' });
    await once.getByRole('button', { name: 'Show Address' }).click();
    const address = await once.getByText('/report/1042?ev=').innerText();
    const visitor = await context.newPage();
    await visitor.goto(address);
    await visitor.getByText('someone@acme.example').waitFor();
    await once.getByRole('button', { name: 'Close' }).click();
    await rowOf(page, 'reportKey').waitFor();
    const [, link] = await list(tenancyName, 'links');
    expect(Math.round((Date.parse(link.expiresAt) - Date.parse(link.createdAt)) / 60_000)).toBe(60);
  });

  it('filters the audit log by event, person and date, and exports what it shows', async () => {
    const tenant = await portal.createTenant();
    const { page } = await open('audit-logs', tenant.tenancyName);
    for (const name of ['=One', 'Two'])
      await fetch(`${portal.url}/_control/tenants/${tenant.tenancyName}/v1/roles`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, type: 'Report' }),
      });
    await page.getByRole('combobox', { name: 'Action type' }).selectOption('RoleCreated');
    await page.getByText('2 in total').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('actionType');
    expect(lines.join('')).toContain('The role ""Two"" was created.');
    await choose(page, 'Person', 'sales.director@acme.example');
    await page.getByText('No events yet.').waitFor();
    await page.getByRole('button', { name: /^Remove sales.director@acme.example/ }).click();
    await page.getByText('2 in total').waitFor();
    await page.getByLabel('To (UTC)').fill('2001-01-01');
    await page.getByText('No events yet.').waitFor();
  });

  it('shows webhooks with the names of their tasks, and finds those that failed', async () => {
    const { tenancyName } = await portal.createTenant();
    await portal.changeTenant(tenancyName, { actionTarget: 'http://127.0.0.1:9/hook' });
    const { page } = await open('preview', tenancyName);
    const report = page.frameLocator('iframe');
    await report.locator('[data-visual="revenue-by-region"] [role="listbox"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await portal.deliveries.waitFor({ tenancyName });
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByLabel('Search').fill('failed');
    const row = rowOf(page, 'Open the region in the CRM');
    expect(await row.locator('[data-title="Outcome"]').innerText()).toBe('failed');
    await row.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('copied as a curl command').waitFor();
    const command = await clipboard(page);
    expect(command).toContain("curl -X POST 'http://127.0.0.1:9/hook'");
    expect(command).toContain(`-H 'authorization: Bearer '"$VITRINE_WEBHOOK_SECRET"''`);
    expect(command).toContain('revenue-by-region');
    await page.getByLabel('Search').fill('delivered');
    await page.getByText('No results for “delivered”').waitFor();
  });

  it('offers every fault in its form, and sets each', async () => {
    const { page } = await open('faults');
    await page.getByRole('button', { name: 'New fault' }).click();
    const choice = page.getByRole('dialog').getByRole('combobox').first();
    await choice.waitFor();
    const kinds = await choice
      .locator('option')
      .evaluateAll((options) => options.map((option) => option.getAttribute('value') ?? ''));
    await page.getByRole('button', { name: 'Cancel' }).click();
    for (const kind of kinds) {
      await page.getByRole('button', { name: 'New fault' }).click();
      const dialog = page.getByRole('dialog');
      await choice.selectOption(kind);
      await dialog.getByLabel('Path').fill('/v1/none');
      await page.getByRole('button', { name: 'Create fault' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    const schema = faultEffectSchema.options.flatMap(({ shape }) =>
      'options' in shape.kind ? shape.kind.options : shape.kind.value,
    );
    expect(portal.faults.list().map(({ fault }) => fault.effect.kind)).toEqual(kinds);
    expect([...kinds].sort()).toEqual([...schema].sort());
    portal.faults.clear();
  });
});

it('gives each landmark of the console and its report its own role or name', async () => {
  const { page } = await open('preview');
  await page.frameLocator('iframe').locator('.page').waitFor();
  const landmarks = await Promise.all(page.frames().map(landmarksOf));
  expect(landmarks.map((ofOne) => ofOne.length > 0)).toEqual([true, true]);
  expect(new Set(landmarks.flat()).size).toBe(landmarks.flat().length);
});

it('asks for nothing that its own content security policy forbids', async () => {
  const page = await (await browser.newContext()).newPage();
  const violations: string[] = [];
  await page.exposeFunction('report', (blocked: string) => violations.push(blocked));
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => report(`${violatedDirective} ${blockedURI}`))",
  );
  await page.goto(`${portal.url}/#preview/acme`);
  await page.frameLocator('iframe').locator('.page').waitFor();
  expect(violations).toEqual([]);
  await page.context().close();
});

it('fits a role code of fifty characters into the preview on a narrow page', async () => {
  const code = 'm'.repeat(50);
  const { tenancyName } = await portal.createTenant();
  const role = await fetch(`${portal.url}/_control/tenants/${tenancyName}/v1/roles`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Long', type: 'RLS', code }),
  });
  expect(role.status).toBe(201);
  const page = await (await browser.newContext({ viewport: { width: 375, height: 740 } })).newPage();
  await page.goto(`${portal.url}/#preview/${tenancyName}`);
  await choose(page, 'RLS roles', code);
  await page.getByRole('button', { name: `Remove ${code}` }).waitFor();
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(overflow)).toBe(0);
  await page.context().close();
});

it('closes the menu with Escape, and skips it with the first button', async () => {
  const page = await (await browser.newContext({ viewport: { width: 375, height: 740 } })).newPage();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await page.goto(`${portal.url}/#users/acme`);
  await page.getByRole('button', { name: 'Menu' }).press('Enter');
  await page.getByRole('link', { name: 'Roles' }).focus();
  await page.keyboard.press('Escape');
  await page.getByRole('navigation').waitFor({ state: 'hidden' });
  expect(await focused()).toBe('Menu');
  await page.getByRole('button', { name: 'Skip to content' }).press('Enter');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
  await page.context().close();
});

it('sends a signed-in request from the interactive documentation without contacting another host', async () => {
  const page = await (await browser.newContext()).newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(portal.url) && !request.url().startsWith('data:'))
      complaints.push(request.url());
  });
  await page.goto(`${portal.url}/docs`);
  await page.locator('#operations-Roles-listRoles .opblock-summary-control').click();
  await page.getByRole('button', { name: 'Execute' }).click();
  const answer = page.locator('.live-responses-table .response-col_status').nth(1);
  expect(await answer.innerText()).toContain('200');
  expect(await page.locator('.errors-wrapper, .version-pragma__message--ambiguous').count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
});
