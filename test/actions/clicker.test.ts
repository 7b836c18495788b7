import { createServer } from 'node:http';
import { createPortal } from '@vitrine/portal';
import { createPortalClient } from '@vitrine/portal-client';
import { createNodeHandler } from '@vitrine/server';
import { createActions, sqliteInbox } from '@vitrine/server/actions';
import { expect, it, onTestFinished } from 'vitest';
import { connectionTo, listen } from '../support/standInPortal.ts';
import { serve } from '../sync/support/serve.ts';
import { endWithTest } from './support/endWithTest.ts';
import { cursorOf, publicationsAfter } from './support/log.ts';
import { openStream } from './support/openStream.ts';
import { clickBody, collectDiagnostics } from './support/samples.ts';
import { settled, startDispatch } from './support/startDispatch.ts';

it('delivers the click of a portal user only to the viewer with the email address known to the portal', async () => {
  const portal = await createPortal();
  onTestFinished(() => portal.close());
  const [tenant] = portal.tenants;
  if (tenant === undefined) throw new Error('The portal has no tenant.');
  const { tenantUrl, apiBaseUrl, baseUrl, tenantId, tenancyName, apiKey, passPhrase } = tenant;
  const [item] = tenant.items;
  const connection = { tenantUrl, apiBaseUrl, baseUrl, tenantId, tenancyName, passPhrase };
  await using client = createPortalClient({ baseUrl, apiKey });
  const users = [];
  for await (const one of client.users.list()) if (one.email) users.push(one);
  const [user] = users;
  const inbox = sqliteInbox(':memory:');
  const { diagnostics, logger } = collectDiagnostics();
  const actions = createActions({
    // During a rotation, the portal may know only the old key: the first lookup fails, and its retry uses the other one.
    portal: { ...connection, apiKey: ['a-key-that-the-portal-does-not-know-yet', apiKey] },
    secrets: tenant.webhookSecret,
    inbox,
    audience: 'clicker',
    on: { [String(item?.id)]: ({ rows }) => ({ message: `${rows.length} rows` }) },
    logger,
  });
  const mount = createNodeHandler({
    portal: { ...connection, apiKey },
    viewer: (request) => ({ userId: String(request.headers['x-as']) }),
    canView: () => true,
    actions,
    logger: false,
  });
  const server = createServer(mount);
  const url = await listen(server);
  endWithTest({ actions, server, mount });
  const post = (changes: object) =>
    fetch(`${url}/api/embed/webhook`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.webhookSecret}` },
      body: JSON.stringify(clickBody({ reportId: item?.guid ?? '', tenancyName, ...changes })),
    });
  // Addresses have no case.
  const own = await openStream(`${url}/api/embed/actions`, { 'x-as': user?.email?.toUpperCase() ?? '' });
  const other = await openStream(`${url}/api/embed/actions`, { 'x-as': 'somebody.else@acme.example' });
  await Promise.all([own.untilHello(), other.untilHello()]);
  await post({ currentUser: 999_999 });
  await post({ currentUser: 999_999 });
  await post({ currentUser: { a: 1 } });
  await post({ currentUser: user?.id, tenancyName: 'globex' });
  await post({ currentUser: user?.id, tenancyName: '', clientUrl: 'http://globex.example' });
  await post({ currentUser: user?.id, tenancyName: undefined });
  await post({ currentUser: user?.id });
  await own.untilActions(1);
  expect(own.actions()).toMatchObject([{ itemId: item?.id, message: '1 rows' }]);
  expect(other.actions()).toEqual([]);
  await expect.poll(() => inbox.counts(), { timeout: 30_000 }).toMatchObject({ pending: 0 });
  expect(own.actions()).toHaveLength(1);
  expect(diagnostics.map(({ kind }) => kind).sort()).toEqual([
    'handler-failed',
    'not-shown',
    'not-shown',
    'parked',
    'parked',
    'parked',
  ]);
  const stored = await inbox.list({ from: '1', limit: 10 });
  expect(stored.map(({ state, lastError }) => [state, lastError])).toEqual([
    ['done', 'The portal has no user 999999, so their actions are not delivered.'],
    ['done', 'The portal has no user 999999, so their actions are not delivered.'],
    ['done', 'The webhook does not say who clicked, so its action is not delivered.'],
    ['parked', expect.stringContaining('It comes from the tenant "globex"')],
    ['parked', expect.stringContaining('It comes from the tenant ""')],
    ['parked', expect.stringContaining('It comes from the tenant ""')],
    ['done', undefined],
  ]);
});

it('asks again for a user that the portal did not know, not for one that it knows, and never for a report by number', async () => {
  let isKnown = false;
  const userId = '6B1F4B65-7C6F-4B64-8B66-1E3F2F7D8C21';
  const { baseUrl, requests } = await serve(({ path }) =>
    isKnown
      ? // Portals write GUIDs in either case.
        { body: { id: path.split('/').at(-1)?.toLowerCase(), email: 'new@acme.example' } }
      : { status: 404 },
  );
  const { inbox, deliver, states } = startDispatch(
    undefined,
    {},
    { audience: 'clicker', portal: { ...connectionTo(baseUrl), baseUrl } },
  );
  const before = await cursorOf(inbox);
  const click = async () => {
    const { metadata, visualData } = clickBody({ reportId: '1042' });
    await deliver({ metadata: { ...metadata, currentUser: userId }, visualData });
    await settled(states);
    return await publicationsAfter(inbox, before, 10);
  };
  expect(await click()).toEqual([]);
  isKnown = true;
  const shown = { audience: ['new@acme.example'], itemId: 1042 };
  expect(await click()).toMatchObject([shown]);
  expect(await click()).toMatchObject([shown, shown]);
  expect(requests.map(({ path }) => path)).toEqual([`/v1/users/${userId}`, `/v1/users/${userId}`]);
});
