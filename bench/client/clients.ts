/** The measured clients: each creates a function that reads one user and resolves to its email address. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Undici from 'undici';
import { packageFolder } from '../lib/machine.ts';

type ReadUser = () => Promise<unknown>;
type Client = (port: number) => Promise<ReadUser>;

const address = (port: number) => `http://127.0.0.1:${port}`;
const authorization = 'Bearer bench-api-key-0123456789';

/** A package of bench, which the root does not install, so its types are unknown. */
const peer = (name: string): Promise<any> => import(name);

const undici = (): typeof Undici =>
  createRequire(join(packageFolder('@vitrine/portal-client'), 'package.json'))('undici');

export const clients = {
  'bare undici': async (port) => {
    const pool = new (undici().Pool)(address(port), { connections: 64 });
    return async () => {
      const { body, statusCode } = await pool.request({
        path: '/v1/users/7',
        method: 'GET',
        headers: { authorization },
      });
      if (statusCode !== 200) throw new Error(`status ${statusCode}`);
      return ((await body.json()) as { email: string }).email; // our own answer
    };
  },
  'bare fetch': async (port) => async () => {
    const response = await fetch(`${address(port)}/v1/users/7`, { headers: { authorization } });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return ((await response.json()) as { email: string }).email; // our own answer
  },
  '@vitrine/portal-client': async (port) => {
    const { createPortalClient } = await import('@vitrine/portal-client');
    const client = createPortalClient({ baseUrl: address(port), apiKey: 'bench-api-key-0123456789' });
    return async () => (await client.users.get(7)).email;
  },
  stripe: async (port) => {
    const { default: Stripe } = await peer('stripe');
    const client = new Stripe('sk_test_bench', {
      host: '127.0.0.1',
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
    });
    return async () => (await client.customers.retrieve('cus_7')).email;
  },
  '@workos-inc/node': async (port) => {
    const { WorkOS } = await peer('@workos-inc/node');
    const client = new WorkOS('sk_test_bench', { apiHostname: '127.0.0.1', port, https: false });
    return async () => (await client.userManagement.getUser('user_7')).email;
  },
} satisfies Record<string, Client>;

export type ClientName = keyof typeof clients;
