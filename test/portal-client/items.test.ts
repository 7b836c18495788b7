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
  return { ...service, client, resolver: client.items.resolver };
};

describe('the item resolver', () => {
  it('translates a number to its GUID and back, in any letter case', async () => {
    const { resolver } = await start([[item(1042, { guid: guid(1) })]]);
    expect(await resolver.toGuid(1042)).toBe(guid(1));
    expect(await resolver.toGuid('1042')).toBe(guid(1));
    expect(await resolver.toNumber(guid(1).toUpperCase())).toBe(1042);
    expect(await resolver.find(guid(1))).toMatchObject({ displayName: 'Report 1042' });
  });

  it('reads the list once for many concurrent calls', async () => {
    const { resolver, requests } = await start([[item(1, { guid: guid(1) })]]);
    await Promise.all(Array.from({ length: 100 }, () => resolver.toGuid(1)));
    expect(requests).toHaveLength(1);
  });

  it('reads the list again for an unknown identifier', async () => {
    const { resolver, requests } = await start([
      [item(1, { guid: guid(1) })],
      [item(1, { guid: guid(1) }), item(2, { guid: guid(2) })],
    ]);
    await resolver.toGuid(1);
    expect(await resolver.toGuid(2)).toBe(guid(2));
    expect(requests).toHaveLength(2);
    await expect(resolver.toGuid(3)).rejects.toMatchObject({ kind: 'not_found', code: 'item_not_found' });
  });

  it('reads an id that is a GUID as the GUID, and a number that is text', async () => {
    const { resolver } = await start([[item(guid(4)), item('77', { guid: guid(8) })]]);
    expect(await resolver.find(guid(4))).toMatchObject({ id: undefined, guid: guid(4) });
    expect(await resolver.toNumber(guid(8))).toBe(77);
  });

  it('never uses reportId as part of the Item ID', async () => {
    const { resolver } = await start([[item(5, { reportId: guid(5), workspaceId: guid(6) })]]);
    await expect(resolver.toNumber(guid(5))).rejects.toMatchObject({ code: 'item_not_found' });
  });

  it('reports that the service returns only one of the two identifiers', async () => {
    const { resolver } = await start([[item(5), item(guid(7))]]);
    await expect(resolver.toGuid(5)).rejects.toMatchObject({ code: 'item_half_missing' });
    await expect(resolver.toNumber(guid(7))).rejects.toMatchObject({ code: 'item_half_missing' });
  });

  it('requests the list again after a failure', async () => {
    let count = 0;
    const service = await serve(() =>
      (count += 1) === 1 ? { status: 404 } : { body: { items: [item(1, { guid: guid(1) })], totalCount: 1 } },
    );
    const client = createPortalClient({ baseUrl: service.baseUrl, apiKey: 'test-api-key-0123456789' });
    onTestFinished(() => client.close());
    await expect(client.items.resolver.toGuid(1)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await client.items.resolver.toGuid(1)).toBe(guid(1));
  });
});
