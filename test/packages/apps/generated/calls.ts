import createClient from 'openapi-fetch';
import { client } from './made/hey/client.gen';
import * as hey from './made/hey/index';
import type { paths } from './made/schema';

const {
  PORTAL: baseUrl = '',
  API_KEY: apiKey = '',
  PASSPHRASE: passPhrase = '',
  TENANT_ID: id = '',
} = process.env;
const person = (lastName: string) => ({
  type: 'UserPass' as const,
  email: `${lastName}@acme.example`,
  firstName: 'Generated',
  lastName,
});

const typed = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } });
const created = await typed.POST('/v1/users', { body: person('typed') });
const missing = await typed.GET('/v1/users/{userId}', { params: { path: { userId: 999_999 } } });
const key = await typed.POST('/api/services/app/ItemLinks/CreateEncryptedKey', {
  params: { header: { 'Svc.TenantId': id } },
  headers: { authorization: `ApiKey ${apiKey}` },
  body: { value: { userId: 'viewer@acme.example', reportId: 1042 }, passPhrase, tenancyName: 'acme' },
});

client.setConfig({ baseUrl, auth: () => apiKey });
const user = await hey.createUser({ body: person('hey') });
const changed = await hey.updateUser({ path: { userId: user.data?.id ?? 0 }, body: { roles: ['Viewer'] } });
const page = await hey.listUsers({ query: { pageSize: 2 } });

process.stdout.write(
  JSON.stringify({
    created: created.data?.displayName,
    missing: missing.error?.error.code,
    key: key.data?.result.key !== undefined,
    roles: changed.data?.roles,
    listed: page.data?.items.length,
  }),
);
