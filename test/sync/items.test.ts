import { createPortalClient } from '@vitrine/portal-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from './support/serve.ts';

const guid = (digit: number) => `0000000${digit}-1111-4222-8333-444444444444`;
const item = (id: unknown, rest = {}) => ({ id, displayName: `Report ${String(id)}`, ...rest });

const start = async (lists: unknown[][]) => {
  const service = await serve(() => {
    const items = lists.length > 1 ? lists.shift() : lists[0];
    return { body: { items, totalCount: items?.length } };
  });
  const client = createPortalClient({ baseUrl: service.baseUrl, apiKey: 'test-api-key-0123456789' });
  onTestFinished(() => client.close());
  return { ...service, client, find: client.items.find };
};

describe('an item', () => {
  it('is found by its number and its GUID, in any letter case', async () => {
    const { find } = await start([[item(1042, { guid: guid(1) })]]);
    for (const id of [1042, '1042', guid(1), guid(1).toUpperCase()])
      expect(await find(id)).toMatchObject({ id: 1042, guid: guid(1), displayName: 'Report 1042' });
  });

  it('is looked for in the list of the moment', async () => {
    const { find, requests } = await start([
      [item(1, { guid: guid(1) })],
      [item(1, { guid: guid(1) }), item(2, { guid: guid(2) })],
    ]);
    await find(1);
    expect(await find(2)).toMatchObject({ guid: guid(2) });
    expect(requests).toHaveLength(2);
    for (const id of [3, guid(3), 'no ID', ''])
      await expect(find(id)).rejects.toMatchObject({ kind: 'not_found', code: 'item_not_found' });
  });

  it('may have a GUID as its id, and a number that is text', async () => {
    const { find } = await start([[item(guid(4)), item('77', { guid: guid(8) })]]);
    expect(await find(guid(4))).toMatchObject({ id: undefined, guid: guid(4) });
    expect(await find(guid(8))).toMatchObject({ id: 77 });
  });

  it('is never found by its reportId', async () => {
    const { find } = await start([[item(5, { reportId: guid(5), workspaceId: guid(6) })]]);
    await expect(find(guid(5))).rejects.toMatchObject({ code: 'item_not_found' });
  });

  it('has only the identifier that the service returns', async () => {
    const { find } = await start([[item(5), item(guid(7))]]);
    expect(await find(5)).toMatchObject({ id: 5, guid: undefined });
    expect(await find(guid(7))).toMatchObject({ id: undefined, guid: guid(7) });
  });

  it('is looked for again after a failure', async () => {
    let count = 0;
    const service = await serve(() =>
      (count += 1) === 1 ? { status: 404 } : { body: { items: [item(1, { guid: guid(1) })], totalCount: 1 } },
    );
    const client = createPortalClient({ baseUrl: service.baseUrl, apiKey: 'test-api-key-0123456789' });
    onTestFinished(() => client.close());
    await expect(client.items.find(1)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await client.items.find(1)).toMatchObject({ guid: guid(1) });
  });
});
