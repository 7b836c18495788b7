import { type Check, stated } from '../check.ts';
import { describeAnswer, must, need } from '../difference.ts';
import { idOf, isFields, mustRefuse, mustSucceed, pathOf, readListing } from '../readers.ts';

const reads = ['users', 'roles', 'organization-units', 'items', 'tasks', 'links'];
const bearer =
  '| Administration interface | The Tenant API Key is sent as a Bearer token in the Authorization header of every request |';
const separate =
  '1: Each Tenant has users, roles, organizational units (OUs) and items (imported reports, dashboards and apps from the BI platform).';

export const authenticationChecks: readonly Check[] = [
  ...reads.map((name) =>
    stated('5', `GET /v1/${name} needs the API key of the tenant as a Bearer token`, {
      effect: 'read',
      quotes: [bearer],
      run: async ({ admin, target }) => {
        mustSucceed(await admin('GET', `/v1/${name}`), 'asking with the key');
        for (const [what, authorization] of [
          ['no Authorization', null],
          ['an unknown key', 'Bearer not-a-key-of-this-tenant'],
          ['an empty key', 'Bearer '],
          ['the key without a scheme', target.apiKey],
          ['the key under the scheme ApiKey', `ApiKey ${target.apiKey}`],
          ['the key as a Basic password', `Basic ${btoa(`:${target.apiKey}`)}`],
        ] as const) {
          const answer = await admin('GET', `/v1/${name}`, { authorization });
          mustRefuse(answer, what);
          must(
            !isFields(answer.json) || !Array.isArray(answer.json['items']),
            'no rows',
            describeAnswer(answer),
          );
        }
      },
    }),
  ),
  stated('5', 'a change without a key is refused and changes nothing', {
    effect: 'write',
    quotes: [bearer],
    run: async ({ admin, unique }) => {
      const before = readListing(await admin('GET', '/v1/roles')).rows.length;
      const body = { name: unique('Role'), type: 'System', code: unique('role'), description: '' };
      mustRefuse(await admin('POST', '/v1/roles', { body, authorization: null }), 'a change without a key');
      const after = readListing(await admin('GET', '/v1/roles')).rows.length;
      must(after === before, `${before} roles`, `${after} roles`);
    },
  }),
  ...reads.map((name) =>
    stated('1', `tenants are isolated in GET /v1/${name}`, {
      effect: 'read',
      quotes: [
        separate,
        'The service is a multi-tenant analytics portal that sits on top of a business-intelligence platform.',
      ],
      run: async ({ admin, target }) => {
        need(target.secondTenant !== undefined, 'needs a second tenant (VITRINE_SECOND_…)');
        const mine = readListing(await admin('GET', `/v1/${name}`)).rows;
        const theirs = readListing(await admin('GET', `/v1/${name}`, { tenant: target.secondTenant })).rows;
        need(mine.length > 0 && theirs.length > 0, `needs rows of ${name} in both tenants`);
        const ids = new Set(mine.map(idOf));
        const shared = theirs.find((row) => ids.has(idOf(row)));
        must(shared === undefined, 'no row in both tenants', shared);
      },
    }),
  ),
  stated('1', 'a user of another tenant can be neither read nor changed nor removed', {
    effect: 'write',
    quotes: [separate],
    run: async ({ admin, target }) => {
      need(target.secondTenant !== undefined, 'needs a second tenant (VITRINE_SECOND_…)');
      const list = readListing(await admin('GET', '/v1/users', { tenant: target.secondTenant })).rows;
      need(list[0] !== undefined, 'needs a user of the second tenant');
      const path = pathOf('v1', 'users', idOf(list[0]));
      mustRefuse(await admin('GET', path), 'reading a user of another tenant');
      mustRefuse(
        await admin('PATCH', path, { body: { firstName: 'Foreign' } }),
        'changing a user of another tenant',
      );
      mustRefuse(await admin('DELETE', path), 'removing a user of another tenant');
      mustSucceed(await admin('GET', path, { tenant: target.secondTenant }), 'reading the own user');
    },
  }),
  stated('9', 'the administration endpoints have the path prefix /v1', {
    effect: 'read',
    quotes: ['Administration endpoints and the audit log carry the path prefix /v1.'],
    run: async ({ admin }) => {
      for (const name of reads) {
        mustSucceed(await admin('GET', `/v1/${name}`));
        mustRefuse(await admin('GET', `/${name}`), `/${name} without /v1`);
      }
    },
  }),
  stated('4', 'the bodies of the administration endpoints are JSON', {
    effect: 'read',
    quotes: ['All administration endpoints are under {base_url}.', 'Bodies are JSON.'],
    run: async ({ admin }) => {
      for (const name of [...reads, 'audit-logs']) {
        const answer = await admin('GET', `/v1/${name}`);
        mustSucceed(answer);
        must(
          /[/+]json\b/.test(answer.headers['content-type'] ?? ''),
          'a JSON type',
          answer.headers['content-type'],
        );
        must(answer.json !== undefined, 'JSON', describeAnswer(answer));
      }
    },
  }),
  stated('4', 'a body that is not JSON is refused', {
    effect: 'write',
    quotes: ['Bodies are JSON.'],
    run: async ({ admin }) => {
      mustRefuse(await admin('POST', '/v1/roles', { body: '{"name": "half' }), 'truncated JSON');
      mustRefuse(await admin('POST', '/v1/roles', { body: 'name=North&type=RLS' }), 'a form');
    },
  }),
];
