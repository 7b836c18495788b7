import { createFetchHandler } from '@vitrine/server';
import { expect, it, onTestFinished } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { connectionTo } from '../support/standInPortal.ts';

const connectionOf = (name: string) => ({
  ...connectionTo('http://127.0.0.1:1'),
  tenantUrl: `https://${name}.portal.example`,
  tenancyName: name,
});

const remembering = () => {
  const known = new Map<string, ReturnType<typeof connectionOf>>();
  return (name: string) => {
    const connection = known.get(name) ?? connectionOf(name);
    known.set(name, connection);
    return connection;
  };
};

it.each([
  ['the same object for each request', remembering],
  ['a new object for each request', () => connectionOf],
])('of a thousand tenants and one, the least recently used one leaves (%s)', async (_title, open) => {
  const connection = open();
  const handler = createFetchHandler({
    portal: (request: Request) => connection(request.headers.get('x-user') ?? ''),
    viewer: viewerByHeader,
    // The tenant is known before anybody is refused, and no portal needs to answer.
    canView: () => false,
    logger: false,
    rateLimit: false,
  });
  onTestFinished(() => handler.close());
  const ask = (n: number) => handler(keyRequest(1042, `t${n}`));
  for (let n = 0; n < 1000; n += 1) await ask(n);
  await ask(0);
  await ask(1000);
  const names = handler.health().tenants.map(({ tenancyName }) => tenancyName);
  expect(names).toHaveLength(1000);
  expect(names).toContain('t0');
  expect(names).not.toContain('t1');
});
