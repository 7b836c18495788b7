import { createFetchHandler, type VitrineOptions } from '@vitrine/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectionTo } from '../support/standInPortal.ts';

const actionsUrl = 'https://host.example/api/embed/actions';

/** A mount that records the requests for action streams; each stream ends at once. */
const mount = (viewer: object, canView: (viewer: unknown, itemId: number) => unknown = () => true) => {
  const opened: Parameters<NonNullable<VitrineOptions<never>['actions']>['open']>[0][] = [];
  const handler = createFetchHandler({
    portal: connectionTo('http://127.0.0.1:9'),
    // A plain JavaScript host may pass anything, here and for canView.
    viewer: () => viewer as never,
    canView: canView as never,
    actions: {
      open: async (request) => {
        opened.push(request);
        return { status: 200, headers: {}, body: null };
      },
    },
    logger: false,
  });
  onTestFinished(() => handler.close());
  return { handler, opened };
};

describe('the action stream', () => {
  it('keeps the checked identity when the session object changes later', async () => {
    const session = { userId: 'north', roleNames: ['region-north'], department: 'sales' };
    const { handler, opened } = mount(session);
    await handler(new Request(actionsUrl));
    session.userId = 'south';
    session.roleNames.push('all-regions');
    expect(opened[0]?.viewer).toMatchObject({ userId: 'north', roleNames: ['region-north'] });
    expect(Reflect.get(opened[0]?.viewer ?? {}, 'department')).toBe('sales');
    expect(Object.isFrozen(opened[0]?.viewer)).toBe(true);
  });

  it.each([
    [true, true],
    [false, false],
    ['yes', false],
    [1, false],
    [undefined, false],
    [Promise.resolve(true), true],
  ])('opens a report when canView() returns %j: %s', async (answer, isOpen) => {
    const { handler, opened } = mount({ userId: 'north' }, () => answer);
    await handler(new Request(actionsUrl));
    expect(await opened[0]?.canView(1042)).toBe(isOpen);
  });

  it.each(['POST', 'PUT', 'DELETE'])('is rejected with %s', async (method) => {
    const { handler, opened } = mount({ userId: 'north' });
    const response = await handler(new Request(actionsUrl, { method }));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
    expect(opened).toEqual([]);
  });

  it('is rejected for a page of another site', async () => {
    const { handler, opened } = mount({ userId: 'north' });
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await handler(new Request(actionsUrl, { headers }))).status).toBe(403);
    expect(opened).toEqual([]);
  });
});
