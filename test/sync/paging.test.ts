import { createPortalClient, PortalError } from '@vitrine/portal-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Reply, type SeenRequest, serve } from './support/serve.ts';

const users = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({
    id: from + index,
    email: `user-${from + index}@acme.example`,
  }));

const start = async (answer: (request: SeenRequest, index: number) => Reply, options = {}) => {
  let index = 0;
  const service = await serve((request) => answer(request, index++));
  const client = createPortalClient({
    baseUrl: service.baseUrl,
    apiKey: 'test-api-key-0123456789',
    maxRetries: 0,
    pageSize: 50,
    ...options,
  });
  onTestFinished(() => client.close());
  return { ...service, client };
};

/** A service with the given paging. */
const pageOf = <TRow>(rows: readonly TRow[], query: URLSearchParams, { first = 1, cap = 200 } = {}) => {
  const size = Math.min(Number(query.get('pageSize') ?? 50), cap);
  const start = (Number(query.get('page') ?? first) - first) * size;
  return start < 0 ? [] : rows.slice(start, start + size);
};

const ids = async (list: AsyncIterable<{ readonly id?: unknown }>) => {
  const read: unknown[] = [];
  for await (const row of list) read.push(Number(row.id));
  return read;
};

const inOrder = (read: readonly unknown[]) => read.toSorted((one, other) => Number(one) - Number(other));

const all = users(120);
const allIds = all.map((user) => user.id);

describe('a list of users', () => {
  it('is read page by page while it is iterated, and not before', async () => {
    const { client, requests } = await start(({ query }) => ({
      body: { items: pageOf(all, query), totalCount: 120 },
    }));
    const list = client.users.list();
    expect(requests).toHaveLength(0);
    expect(await ids(list)).toEqual(allIds);
    expect(requests.map((request) => request.url)).toEqual([
      '/v1/users?page=1&pageSize=50',
      '/v1/users?page=2&pageSize=50',
      '/v1/users?page=3&pageSize=50',
    ]);
  });

  it('makes no more requests when the iteration stops', async () => {
    const { client, requests } = await start(({ query }) => ({
      body: { items: pageOf(all, query), totalCount: 120 },
    }));
    for await (const user of client.users.list()) if (user.id === String(all[9]?.id)) break;
    expect(requests).toHaveLength(1);
  });

  it('can be iterated twice', async () => {
    const { client } = await start(({ query }) => ({ body: { items: pageOf(all, query), totalCount: 120 } }));
    const list = client.users.list();
    expect(await ids(list)).toEqual(await ids(list));
  });

  it('yields pages with their HTTP details', async () => {
    const { client } = await start(({ query }) => ({
      body: { items: pageOf(all, query), totalCount: 120 },
      headers: { 'x-request-id': `page-${query.get('page')}` },
    }));
    const pages = [];
    for await (const page of client.users.list().pages())
      pages.push([page.rows.length, page.total, page.stats.requestId]);
    expect(pages).toEqual([
      [50, 120, 'page-1'],
      [50, 120, 'page-2'],
      [20, 120, 'page-3'],
    ]);
  });
});

describe('every list format', () => {
  const wrap: Record<string, (rows: unknown[], total: number) => Reply> = {
    'items and totalCount': (items, totalCount) => ({ body: { items, totalCount, page: 1, pageSize: 50 } }),
    'items and total': (items, total) => ({ body: { items, total } }),
    'a bare array': (rows) => ({ body: rows }),
    'the envelope': (items, totalCount) => ({
      body: { result: { items, totalCount }, success: true, error: null, __abp: true },
    }),
    'the envelope around an array': (rows) => ({
      body: { result: rows, success: true, error: null, unAuthorizedRequest: false, __abp: true },
    }),
    'a total written as text': (items, total) => ({ body: { items, totalCount: String(total) } }),
  };

  it.each(Object.entries(wrap))('is parsed: %s', async (_, reply) => {
    const { client } = await start(({ query }) => reply(pageOf(all, query), 120));
    expect(await ids(client.users.list())).toEqual(allIds);
  });

  it.each(Object.entries(wrap))('is parsed when the list is not paged: %s', async (_, reply) => {
    const { client } = await start(() => reply(all, 120));
    expect(await ids(client.tasks.list())).toEqual(allIds);
  });

  it.each([
    ['HTML', { body: '<html></html>' }],
    ['nothing', { status: 204 }],
    ['a number', { body: 5 }],
    ['a record without a list', { body: { message: 'hello' } }],
    ['a list under another name', { body: { users: [], totalCount: 0 } }],
    ['null', { body: 'null' }],
    ['rows that are not users', { body: [1, 2] }],
    ['rows without an identifier', { body: { items: [{ email: 'a@acme.example' }], totalCount: 1 } }],
  ])('is an error, never an empty list: %s', async (_, reply) => {
    const { client } = await start(() => reply);
    await expect(ids(client.users.list())).rejects.toMatchObject({
      name: 'PortalError',
      kind: 'invalid_response',
    });
  });

  it('is empty when the service returns an empty list', async () => {
    const { client } = await start(() => ({ body: { items: [], totalCount: 0 } }));
    expect(await ids(client.users.list())).toEqual([]);
  });
});

describe('paging', () => {
  it('fails when the service ignores the page and always returns the first one', async () => {
    const { client, requests } = await start(() => ({ body: { items: all.slice(0, 50), totalCount: 120 } }));
    await expect(ids(client.users.list())).rejects.toMatchObject({ kind: 'paging', code: 'count_mismatch' });
    expect(requests.length).toBeLessThan(5);
  });

  it('stops when a service without totals ignores the page', async () => {
    const { client, requests } = await start(() => ({ body: all }));
    expect(await ids(client.users.list())).toEqual(allIds);
    expect(requests.length).toBeLessThan(5);
  });

  it('continues when the service caps the page size', async () => {
    const { client } = await start(({ query }) => ({
      body: { items: pageOf(all, query, { cap: 20 }), totalCount: 120 },
    }));
    expect(await ids(client.users.list())).toEqual(allIds);
  });

  it('fails when the service caps the rows but counts pages by the requested size', async () => {
    const { client } = await start(({ query }) => ({
      body: { items: pageOf(all, query).slice(0, 20), totalCount: 120 },
    }));
    await expect(ids(client.users.list())).rejects.toMatchObject({ kind: 'paging' });
  });

  it('fails when rows at the end are missing', async () => {
    const { client } = await start(({ query }) => ({
      body: { items: pageOf(all.slice(0, 100), query), totalCount: 120 },
    }));
    await expect(ids(client.users.list())).rejects.toMatchObject({
      kind: 'paging',
      message: expect.stringContaining('100 different rows'),
    });
  });

  it('fails when there are more rows than the total', async () => {
    const { client } = await start(() => ({ body: { items: all, totalCount: 100 } }));
    await expect(ids(client.users.list())).rejects.toMatchObject({ kind: 'paging' });
  });

  it('fails when the service counts pages from 0 and nobody said so', async () => {
    const { client } = await start(({ query }) => ({
      body: { items: pageOf(all, query, { first: 0 }), totalCount: 120 },
    }));
    await expect(ids(client.users.list())).rejects.toMatchObject({
      code: 'count_mismatch',
      message: expect.stringContaining('firstPage: 0'),
    });
  });

  it('counts pages from 0 with firstPage: 0', async () => {
    const { client, requests } = await start(
      ({ query }) => ({ body: { items: pageOf(all, query, { first: 0 }), totalCount: 120 } }),
      { firstPage: 0 },
    );
    expect(await ids(client.users.list())).toEqual(allIds);
    expect(requests).toHaveLength(3);
  });

  it('yields a row once when a new row is inserted before it during the iteration', async () => {
    const { client } = await start(({ query }, index) => {
      const rows = index === 0 ? all : [{ id: 999, email: 'new@acme.example' }, ...all];
      return { body: { items: pageOf(rows, query), totalCount: rows.length } };
    });
    expect(inOrder(await ids(client.users.list()))).toEqual([...allIds, 999]);
  });

  it('reads again for a row that was skipped because another was removed', async () => {
    const { client } = await start(({ query }, index) => {
      const rows = index === 0 ? all : all.filter((user) => user.id !== 10);
      return { body: { items: pageOf(rows, query), totalCount: rows.length } };
    });
    // User 51 moved to page 1 after that page was read; a loop that only counts would end with 119 of 119 and miss it.
    expect(inOrder(await ids(client.users.list()))).toEqual(allIds);
  });

  it('reads again for a row that was inserted while another was removed, so that the total stays', async () => {
    const later = [{ id: 0, email: 'user-0@acme.example' }, ...all.slice(0, -1)];
    const { client } = await start(({ query }, index) => ({
      body: { items: pageOf(index === 0 ? all : later, query), totalCount: 120 },
    }));
    expect(inOrder(await ids(client.users.list()))).toEqual(later.map(({ id }) => id));
  });

  it('fails when the rows keep moving', async () => {
    const { client } = await start(({ query }, index) => {
      const rows = all.slice(index % 2);
      return { body: { items: pageOf(rows, query), totalCount: rows.length } };
    });
    await expect(ids(client.users.list())).rejects.toMatchObject({ kind: 'paging', code: 'rows_moved' });
  });

  it('fails when an unpaged list was capped', async () => {
    const { client } = await start(({ query }) => ({
      body: { items: pageOf(all, query, { cap: 50 }), totalCount: 120 },
    }));
    await expect(ids(client.roles.list())).rejects.toMatchObject({ kind: 'paging', code: 'count_mismatch' });
  });

  it('makes one request for an unpaged list', async () => {
    const { client, requests } = await start(() => ({ body: { items: all, totalCount: 120 } }));
    await ids(client.items.list());
    expect(requests.map((request) => request.url)).toEqual(['/v1/items']);
  });

  it('yields the rows before a failed page, then throws its error', async () => {
    const { client } = await start(({ query }) =>
      query.get('page') === '2' ? { status: 500 } : { body: { items: pageOf(all, query), totalCount: 120 } },
    );
    const read: unknown[] = [];
    const walk = async () => {
      for await (const user of client.users.list()) read.push(Number(user.id));
    };
    await expect(walk()).rejects.toBeInstanceOf(PortalError);
    expect(read).toHaveLength(50);
  });
});

describe('paging (control)', () => {
  it('a loop that stops at a short page would miss rows', async () => {
    const { client } = await start(({ query }) => ({
      body: { items: pageOf(all, query, { cap: 20 }), totalCount: 120 },
    }));
    const naive: unknown[] = [];
    for (let page = 1; ; page += 1) {
      const rows = pageOf(all, new URLSearchParams({ page: String(page), pageSize: '50' }), { cap: 20 });
      naive.push(...rows);
      if (rows.length < 50) break;
    }
    expect(naive).toHaveLength(20);
    expect(await ids(client.users.list())).toHaveLength(120);
  });
});
