import { type ActionHandler, sqliteInbox } from '@vitrine/server/actions';
import { expect, it, onTestFinished } from 'vitest';
import { startActions } from '../../src/server/lib/actions/createActions.ts';
import { connectionTo, type StandInAnswer, startStandInPortal } from '../support/standInPortal.ts';
import { cursorOf, publicationsAfter } from './support/log.ts';
import { clickBody, collectDiagnostics, reportId, reportNumber, secret } from './support/samples.ts';

const user: StandInAnswer = { body: { id: 7, email: 'north@acme.example' } };
const items: StandInAnswer = {
  body: { items: [{ id: reportNumber, guid: reportId, displayName: 'Sales' }], totalCount: 1 },
};
const broken: StandInAnswer = { status: 500, body: {} };

/** A click with a portal that returns each of these responses once, and repeats the last. */
const clickWithPortal = async (
  answers: { readonly users?: StandInAnswer[]; readonly items?: StandInAnswer[] },
  handler: ActionHandler = () => undefined,
) => {
  const portal = await startStandInPortal();
  onTestFinished(() => portal.close());
  const left = { users: [...(answers.users ?? [user])], items: [...(answers.items ?? [items])] };
  portal.answer = ({ url }) => {
    const list = left[url.includes('/users') ? 'users' : 'items'];
    return (list.length > 1 ? list.shift() : list[0]) ?? broken;
  };
  const inbox = sqliteInbox(':memory:');
  const { diagnostics, logger } = collectDiagnostics();
  const actions = startActions(
    {
      portal: { ...connectionTo(portal.url), tenantUrl: 'https://acme.example' },
      secrets: secret,
      inbox,
      audience: 'clicker',
      on: { [reportNumber]: handler },
      logger,
    },
    { pollMs: 20 },
  );
  onTestFinished(() => actions.close(0));
  const before = await cursorOf(inbox);
  await inbox.append({ raw: Buffer.from(JSON.stringify(clickBody())), receivedAtMs: Date.now() });
  return { inbox, diagnostics, published: () => publicationsAfter(inbox, before, 10) };
};

const shownToNorth = [{ audience: ['north@acme.example'], itemId: reportNumber }];

it('retries a click when the list of items returns 404, which says nothing about the item', async () => {
  const { published } = await clickWithPortal({ items: [{ status: 404, body: {} }, items] });
  await expect.poll(published, { timeout: 30_000 }).toMatchObject(shownToNorth);
});

it('shows a click a moment later when the portal fails once', async () => {
  const { published } = await clickWithPortal({ users: [broken, broken, broken, broken, user] });
  const startMs = performance.now();
  await expect.poll(published, { timeout: 30_000 }).toMatchObject(shownToNorth);
  expect(performance.now() - startMs).toBeLessThan(8000);
});

it('shows nothing when the portal returns the email address of another user', async () => {
  const other: StandInAnswer = { body: { id: 999, email: 'south@acme.example' } };
  const { published, inbox, diagnostics } = await clickWithPortal({ users: [other] });
  await expect.poll(() => diagnostics.map(({ kind }) => kind)).toEqual(['not-shown']);
  expect(await published()).toEqual([]);
  expect(await inbox.list({ limit: 1 })).toMatchObject([
    { state: 'pending', lastError: expect.stringContaining('user 999 instead of user 7') },
  ]);
});

it('does not let a handler change who sees an event', async () => {
  const { published } = await clickWithPortal({}, (event) => {
    for (const change of [{ id: 'x' }, { reportId: 'x' }, { currentUser: 1 }])
      expect(() => Object.assign(event, change)).toThrow(TypeError);
  });
  await expect.poll(published, { timeout: 30_000 }).toMatchObject(shownToNorth);
});
