/** The measured services, each started in the calling process, on the caller's port. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PortalSeed } from '@vitrine/portal';
import type { LoadRequest } from '../lib/load.ts';
import { packageFolder } from '../lib/machine.ts';

/** The three operations of every service. */
export type Operation = 'list' | 'create' | 'mint';

/** Requests of an operation, sent in turn. Empty if the service does not support it. */
export type ServiceRequests = Readonly<Record<Operation, readonly LoadRequest[]>>;

/** Port of a service, and its own folder, which is removed afterward. */
export interface ServicePlace {
  readonly port: number;
  readonly folder: string;
}

type Start = (place: ServicePlace) => Promise<ServiceRequests>;

/** Number of users at the start of every service, and per page of the list. */
export const startUsers = 200;
const pageSize = 50;

const personEmail = (index: number): string => `person.${index}@acme.example`;
const people = Array.from({ length: startUsers }, (_, index) => personEmail(index));

const json = { 'content-type': 'application/json' };

const withPeople = (defaultSeed: PortalSeed): PortalSeed => {
  const [acme, ...others] = defaultSeed.tenants;
  if (acme === undefined) throw new Error('The default seed has no tenant.');
  const users = people.map((email) => ({
    type: 'UserPass' as const,
    email,
    firstName: 'Person',
    lastName: 'Of the bench',
  }));
  return { ...defaultSeed, tenants: [{ ...acme, users: [...(acme.users ?? []), ...users] }, ...others] };
};

const startPortal =
  (databaseIn: (folder: string) => string): Start =>
  async ({ port, folder }) => {
    // Loaded here: the start of another service holds only its own code.
    const { createPortal, defaultSeed } = await import('@vitrine/portal');
    const portal = await createPortal({ port, database: databaseIn(folder), seed: withPeople(defaultSeed) });
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('The portal has no tenant.');
    const bearer = { ...json, authorization: `Bearer ${tenant.apiKey}` };
    return {
      list: [{ method: 'GET', path: `/v1/users?page=1&pageSize=${pageSize}`, headers: bearer }],
      create: [
        {
          method: 'POST',
          path: '/v1/users',
          headers: bearer,
          body: JSON.stringify({
            type: 'UserPass',
            email: `new.[<id>]@acme.example`,
            firstName: 'New',
            lastName: 'Person',
          }),
        },
      ],
      mint: [
        {
          method: 'POST',
          path: '/api/services/app/ItemLinks/CreateEncryptedKey',
          headers: {
            ...json,
            authorization: `ApiKey ${tenant.apiKey}`,
            'svc.tenantid': String(tenant.tenantId),
          },
          body: JSON.stringify({
            value: { userId: personEmail(1), reportId: 1042, roleNames: ['region-north'] },
            passPhrase: tenant.passPhrase,
            tenancyName: tenant.tenancyName,
          }),
        },
      ],
    };
  };

/** json-server only exists as a program: runs its bin in this process, silenced. */
const startJsonServer: Start = async ({ port, folder }) => {
  const file = join(folder, 'db.json');
  mkdirSync(join(folder, 'public')); // it does not start without one
  process.chdir(folder);
  // The fields of the portal's own users, so that pages have the same size.
  const at = new Date().toISOString();
  const users = people.map((email, index) => ({
    id: String(index),
    type: 'UserPass',
    email,
    firstName: 'Person',
    lastName: 'Of the bench',
    roles: [],
    organizationUnits: [],
    displayName: 'Person Of the bench',
    isActive: true,
    createdAt: at,
    updatedAt: at,
    lastLoginAt: null,
  }));
  writeFileSync(file, JSON.stringify({ users, keys: [] }));
  process.argv = [process.argv[0] ?? '', 'json-server', file, '--port', String(port), '--host', '127.0.0.1'];
  console.log = () => undefined;
  await import(join(packageFolder('json-server'), 'lib/bin.js'));
  const create = JSON.stringify({
    type: 'UserPass',
    email: `new.[<id>]@acme.example`,
    firstName: 'New',
  });
  return {
    list: [{ method: 'GET', path: `/users?_page=1&_per_page=${pageSize}`, headers: json }],
    create: [{ method: 'POST', path: '/users', headers: json, body: create }],
    mint: [],
  };
};

/** emulate's Okta: the one of its services with users and tokens. */
const startEmulate: Start = async ({ port }) => {
  const name: string = 'emulate'; // a package of bench, which the root does not install
  const { createEmulator } = await import(name);
  const users = people.map((email) => ({
    login: email,
    email,
    first_name: 'Person',
    last_name: 'Of the bench',
  }));
  // It allows 5,000 requests per hour and token, like GitHub, so the load uses many tokens.
  const tokens = Array.from({ length: 1000 }, (_, index) => `token-${index}`);
  const client = {
    client_id: 'bench',
    client_secret: 'bench-secret',
    name: 'Bench',
    auth_server_id: 'default',
  };
  await createEmulator({
    service: 'okta',
    port,
    seed: {
      tokens: Object.fromEntries(tokens.map((token) => [token, { login: 'admin', scopes: ['admin'] }])),
      okta: {
        users,
        authorization_servers: [{ id: 'default', name: 'default', audiences: ['api://default'] }],
        oauth_clients: [{ ...client, redirect_uris: ['http://localhost:3000/callback'] }],
      },
    },
  });
  const bearer = (token: string) => ({ ...json, authorization: `SSWS ${token}` });
  const login = `new.[<id>]@acme.example`;
  const body = JSON.stringify({ profile: { login, email: login, firstName: 'New' } });
  const path = '/api/v1/users';
  return {
    list: tokens.map((token) => ({
      method: 'GET',
      path: `${path}?page=1&per_page=${pageSize}`,
      headers: bearer(token),
    })),
    create: tokens.map((token) => ({ method: 'POST', path, headers: bearer(token), body })),
    mint: tokens.map((token) => ({
      method: 'POST',
      path: '/oauth2/default/v1/token',
      headers: { ...bearer(token), 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&client_id=bench&client_secret=bench-secret&scope=reports',
    })),
  };
};

export const services = {
  'ours, in memory': startPortal(() => ':memory:'),
  'ours, in a file (fsync)': startPortal((folder) => join(folder, 'portal.db')),
  'json-server, in a file': startJsonServer,
  'emulate (Okta), in memory': startEmulate,
} satisfies Record<string, Start>;

export type ServiceName = keyof typeof services;
