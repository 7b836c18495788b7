import { createPortal, type Portal } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { askTenant } from './onTenant.ts';

/** Resolves all references in a part of a document. */
const withoutReferences = (value: any, from: any): any => {
  if (Array.isArray(value)) return value.map((part) => withoutReferences(part, from));
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$ref === 'string') {
    const [, , kind, name] = value.$ref.split('/');
    return withoutReferences(from.components[kind][name], from);
  }
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutReferences(part, from)]));
};

let portal: Portal;
let document: any;
/** The document as it is sent, with its references. */
let sent: any;
/** The document of the control interface. */
let control: any;
beforeAll(async () => {
  portal = await createPortal();
  const read = async (path: string): Promise<any> => (await fetch(portal.url + path)).json();
  sent = await read('/openapi.json');
  document = withoutReferences(sent, sent);
  const sentControl = await read('/_control/openapi.json');
  control = withoutReferences(sentControl, sentControl);
});
afterAll(() => portal.close());

const operations = (from = document) =>
  Object.entries<any>(from.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]) => ({ path, method, operation })),
  );

/** The source of every property in a part of a document, by its path: `User.email`. */
const sourcesIn = (part: any, path: string): Record<string, unknown> => {
  if (typeof part !== 'object' || part === null) return {};
  return Object.assign(
    {},
    ...Object.entries<any>(part).map(([key, value]) =>
      key === 'properties' && typeof value === 'object'
        ? Object.assign(
            {},
            ...Object.entries<any>(value).map(([name, property]) => ({
              [`${path}.${name}`]: property['x-provenance'],
              ...sourcesIn(property, `${path}.${name}`),
            })),
          )
        : sourcesIn(value, path),
    ),
  );
};
const sourcesOf = (from: any): Record<string, unknown> =>
  Object.assign(
    sourcesIn([from.paths, from.webhooks], 'inline'),
    ...Object.entries(from.components.schemas).map(([name, schema]) => sourcesIn(schema, name)),
  );

/** Patterns and formats of a document that readers of JSON Schema reject or ignore. */
const unreadable = (from: unknown): readonly string[] => {
  const found: string[] = [];
  JSON.stringify(from, (name, value) => {
    if (name === 'pattern' && typeof value === 'string' && /\\[pP]\{/.test(value)) found.push(value);
    if (name === 'format' && /^(?:idn-email|regex)$/.test(value)) found.push(value);
    return value;
  });
  return found;
};

describe('the OpenAPI document', () => {
  it('has only patterns and formats that readers of JSON Schema understand', () => {
    expect([unreadable(document), unreadable(control)]).toEqual([[], []]);
    // The same finder sees both.
    const wrong = { a: { pattern: '^[^\\P{ASCII};]+$' }, b: [{ format: 'idn-email' }] };
    expect(unreadable(wrong)).toHaveLength(2);
  });

  it('has version 3.1 and names every endpoint of section 4, and the address of its page', () => {
    expect(document.info.description).toContain('localhost');
    expect(document.info.description).toContain('/report/<Item ID>?ev=<key>');
    expect(document.openapi).toBe('3.1.0');
    expect(
      operations()
        .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
        .sort((left, right) => left.localeCompare(right)),
    ).toEqual(
      [
        'DELETE /v1/users/{userId}',
        'GET /v1/audit-logs',
        'GET /v1/items',
        'GET /v1/links',
        'GET /v1/organization-units',
        'GET /v1/roles',
        'GET /v1/tasks',
        'GET /v1/users',
        'GET /v1/users/{userId}',
        'PATCH /v1/users/{userId}',
        'POST /api/services/app/ItemLinks/CreateEncryptedKey',
        'POST /v1/items',
        'POST /v1/organization-units',
        'POST /v1/organization-units/{ouId}/sync',
        'POST /v1/roles',
        'POST /v1/users',
      ].sort((left, right) => left.localeCompare(right)),
    );
  });

  it('cites the source of every endpoint, parameter and field', () => {
    for (const { path, operation } of operations()) {
      expect(`${path} ${operation['x-provenance']}`).toMatch(/ interface \d/);
      for (const parameter of operation.parameters)
        expect(`${path} ${parameter.name} ${parameter['x-provenance']}`).toMatch(
          / (?:interface \d|our choice$)/,
        );
    }
    const sources = sourcesOf(sent);
    expect(Object.keys(sources).length).toBeGreaterThan(100);
    for (const [path, source] of Object.entries(sources))
      expect(`${path}: ${String(source)}`).toMatch(/: (?:interface \d|our choice$)/);
  });

  it('marks as stated by the interface only what it states', () => {
    const provenance = (path: string, name: string) =>
      document.paths[path].get.parameters.find((parameter: any) => parameter.name === name)['x-provenance'];
    expect(provenance('/v1/audit-logs', 'page')).toBe('interface 4.5');
    // docs/interface.md#4.8: the parameters of the other lists are not shown.
    for (const path of ['/v1/users', '/v1/roles', '/v1/items', '/v1/tasks', '/v1/links'])
      for (const name of ['page', 'pageSize'])
        expect([path, provenance(path, name)]).toEqual([path, 'our choice']);
    const sources = Object.entries(sourcesOf(sent));
    const by = (source: RegExp) =>
      new Set(sources.filter(([, mark]) => source.test(String(mark))).map(([path]) => path.split('.')[0]));
    // docs/interface.md#2: the fields of returned rows are not shown, and #4.8: nor is the body of an update.
    expect(by(/^interface/)).toEqual(
      new Set([
        'CreateUserRequest',
        'CreateRoleRequest',
        'CreateOrganizationUnitRequest',
        'ImportItemRequest',
        'CreateEncryptedKeyRequest',
        'CreateEncryptedKeyAnswer',
        'CreateEncryptedKeyRefusal',
        'ActionWebhook',
      ]),
    );
    expect(Object.fromEntries(sources)).toMatchObject({
      'CreateUserRequest.email': 'interface 2.1',
      'User.email': 'our choice',
      'UpdateUserRequest.email': 'our choice',
      'ImportItemRequest.additionalData.hasRls': 'interface 2.4',
      'Item.additionalData.hasRls': 'our choice',
      'Task.kind': 'our choice',
      'Link.kind': 'our choice',
      'AuditRecord.actionType': 'our choice',
      'UserList.items': 'our choice',
      'Error.error': 'our choice',
      'Error.error.code': 'our choice',
      // docs/interface.md#7: the content of `error` is not shown, and neither is a result beside it.
      'CreateEncryptedKeyAnswer.result.key': 'interface 4.6',
      'CreateEncryptedKeyRefusal.success': 'interface 4.6',
      'CreateEncryptedKeyRefusal.result': 'our choice',
      'CreateEncryptedKeyRefusal.error.message': 'our choice',
      // docs/interface.md#6.1: two parts, whose own names are not shown.
      'ActionWebhook.metadata': 'our choice',
      'ActionWebhook.metadata.clientUrl': 'interface 6.1',
      'ActionWebhook.visualData': 'our choice',
      'ActionWebhook.visualData.data.values.target.$schema': 'interface 6.1',
    });
    for (const { operation } of operations(control))
      for (const source of [operation, ...operation.parameters].map((part) => part['x-provenance']))
        expect(source).toBe('extension');
    expect(new Set(Object.values(sourcesOf(control)))).toEqual(new Set(['extension']));
  });

  it('documents what can happen to every request: an outage, a failure and a method that a path lacks', () => {
    // The control interface tells developers what failed, as a 400.
    for (const [from, failed] of [
      [document, 500],
      [control, 400],
    ] as const)
      for (const { path, operation } of operations(from)) {
        const { [failed]: failure, 503: outage } = operation.responses;
        expect([path, Object.keys(outage.headers)]).toEqual([path, ['Retry-After']]);
        for (const { content } of [failure, outage])
          expect([path, content['application/json'].schema.type]).toEqual([path, 'object']);
      }
    expect(sent.paths['/v1/roles'].get.responses[503]).toEqual({
      $ref: '#/components/responses/Unavailable',
    });
    expect(document.info.description).toContain('405');
    expect(document.info.description).toContain('`Allow`');
  });

  it('leaves the dialect of its schemas to OpenAPI 3.1: a tool that reads another one refuses them', () => {
    for (const text of [sent, control].map((one) => JSON.stringify(one))) {
      expect(text).toContain('"properties"');
      expect(text).not.toContain('json-schema.org');
    }
  });

  it('types identifiers in paths as those of the resources', () => {
    const typeIn = (path: string, method: string) => document.paths[path][method].parameters[0].schema.type;
    const ids = Object.fromEntries(
      ['User', 'OrganizationUnit'].map((name) => [name, sent.components.schemas[name].properties.id.type]),
    );
    for (const method of ['get', 'patch', 'delete'])
      expect(typeIn('/v1/users/{userId}', method)).toBe(ids['User']);
    expect(typeIn('/v1/organization-units/{ouId}/sync', 'post')).toBe(ids['OrganizationUnit']);
  });

  it('types the numbers of a query as integers with limits (docs/interface.md#4.5)', () => {
    const { parameters } = document.paths['/v1/audit-logs'].get;
    const schemaOf = (name: string) => parameters.find((parameter: any) => parameter.name === name).schema;
    expect(schemaOf('userId')).toMatchObject({ type: 'integer', minimum: 1 });
    expect(schemaOf('page')).toMatchObject({ type: 'integer', minimum: 1 });
    expect(schemaOf('pageSize')).toMatchObject({ type: 'integer', minimum: 1, maximum: 200 });
    expect(schemaOf('page')).not.toHaveProperty('pattern');
  });

  it('describes every parameter of the queries of section 4', () => {
    const parameters = operations().flatMap(({ operation }) => operation.parameters);
    const ofQueries = parameters.filter((parameter: any) => parameter.in === 'query');
    expect(ofQueries.length).toBeGreaterThan(5);
    expect(ofQueries.filter((parameter: any) => !parameter.description)).toEqual([]);
  });

  it('names its shared schemas consistently', () => {
    expect(Object.keys(sent.components.schemas)).toEqual(
      expect.arrayContaining(['User', 'UserList', 'Role', 'Item', 'Task', 'Link', 'AuditRecord', 'Error']),
    );
    const answer = (path: string, method: string, status: string) =>
      sent.paths[path][method].responses[status].content['application/json'].schema;
    expect(answer('/v1/users', 'post', '201')).toEqual({ $ref: '#/components/schemas/User' });
    expect(answer('/v1/users/{userId}', 'get', '200')).toEqual(answer('/v1/users', 'post', '201'));
    expect(answer('/v1/roles', 'get', '403')).toEqual({ $ref: '#/components/schemas/Error' });
    expect(JSON.stringify(sent.webhooks)).toContain('ActionWebhook');
  });

  it('lists existing control paths with all their methods', async () => {
    for (const [path, methods] of Object.entries<any>(control.paths)) {
      const url = portal.url + path.replaceAll(/\{\w+\}/g, '1');
      const answer = await fetch(url, { method: 'PROPFIND' });
      const allowed = (answer.headers.get('allow') ?? '').split(', ').filter((one) => one !== 'HEAD');
      const named = Object.keys(methods).map((method) => method.toUpperCase());
      expect([path, answer.status, allowed]).toEqual([path, 405, expect.arrayContaining(named)]);
    }
  });

  it('contains examples that the portal accepts', async () => {
    const tenant = await portal.createTenant();
    for (const path of ['/v1/users', '/v1/roles', '/v1/organization-units', '/v1/items']) {
      const { example } = document.paths[path].post.requestBody.content['application/json'];
      const answer = await fetch(portal.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(example),
      });
      expect([path, answer.status]).toEqual([path, 201]);
    }
  });

  it('describes the responses of the control interface', async () => {
    const tenant = await portal.createTenant();
    portal.faults.add({ effect: { kind: 'status', status: 418 }, path: '/v1/tea', times: 1 });
    const own = `/tenants/${tenant.tenancyName}`;
    const person = { type: 'UserPass', email: 'a@a.example', firstName: 'A', lastName: 'B' };
    const read = async (list: string): Promise<any> =>
      (await fetch(`${portal.url}/_control${own}/v1/${list}`)).json();
    const units = await read('organization-units');
    const userId = String((await read('users')).items[0].id);
    const { id: ouId } = units.items.find(
      ({ directoryGroupId }: { directoryGroupId: string | null }) => directoryGroupId !== null,
    );
    const item = document.paths['/v1/items'].post.requestBody.content['application/json'].example;
    const calls: readonly (readonly [call: string, body?: object])[] = [
      ...[
        'users',
        'users/{userId}',
        'roles',
        'organization-units',
        'items',
        'tasks',
        'links',
        'audit-logs',
      ].map((name) => [`GET ${own}/v1/${name}`] as const),
      [`POST ${own}/v1/users`, person],
      [`PATCH ${own}/v1/users/{userId}`, { firstName: 'C' }],
      [`POST ${own}/v1/roles`, { name: 'One', type: 'Report' }],
      [`POST ${own}/v1/organization-units`, { name: 'One', parentId: 'root' }],
      [`POST ${own}/v1/organization-units/{ouId}/sync`],
      [`POST ${own}/v1/items`, item],
      ['POST /tenants', {}],
      [`POST ${own}/keys`, { itemId: 1042, userId: 'a', roleNames: [] }],
      [`POST ${own}/api-keys`, { name: 'One', permissions: [] }],
      [`POST ${own}/tasks`, { name: 'One', itemId: 1042 }],
      ['POST /clock', { speed: 1 }],
      ['POST /faults', { effect: { kind: 'hang' }, path: '/v1/none' }],
      ['GET /tenants'],
      [`GET ${own}/lists/users?page=1&pageSize=2&search=a`],
      [`GET ${own}/api-keys`],
      ['GET /clock'],
      ['GET /faults'],
      ['GET /requests?limit=5'],
      ['GET /deliveries'],
      ['GET /seed'],
    ];
    const seen = new Set<string>();
    for (const [call, body] of calls) {
      const [method = '', path = ''] = call.split(' ');
      const target = path.replace('{userId}', userId).replace('{ouId}', ouId);
      const answer = await fetch(`${portal.url}/_control${target}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const template = `/_control${path.split('?')[0]?.replace(own, '/tenants/{tenancyName}').replace('/lists/users', '/lists/{name}')}`;
      const { content } = control.paths[template][method.toLowerCase()].responses[answer.status];
      const { error } = z.fromJSONSchema(content['application/json'].schema).safeParse(await answer.json());
      expect([call, error]).toEqual([call, undefined]);
      seen.add(`${method} ${template}`);
    }
    const answering = operations(control).filter(({ operation }) => operation.responses[204] === undefined);
    expect(answering.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      [...seen].sort(),
    );
  });

  it('describes the refusals of the control interface', async () => {
    const own = '/_control/tenants/acme';
    const calls: readonly (readonly [call: string, template: string, status: number, body?: object])[] = [
      [`DELETE ${own}/tasks/999`, '/_control/tenants/{tenancyName}/tasks/{taskId}', 404],
      ['GET /_control/tenants/none/api-keys', '/_control/tenants/{tenancyName}/api-keys', 404],
      [`POST ${own}/tasks`, '/_control/tenants/{tenancyName}/tasks', 400, {}],
      ['POST /_control/tenants', '/_control/tenants', 409, { tenancyName: 'acme' }],
      ['POST /_control/deliveries/999/replay', '/_control/deliveries/{id}/replay', 404],
      ['POST /_control/deliveries/x/replay', '/_control/deliveries/{id}/replay', 404],
    ];
    for (const [call, template, status, body] of calls) {
      const [method = '', path = ''] = call.split(' ');
      const answer = await fetch(portal.url + path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      expect([call, answer.status]).toEqual([call, status]);
      const described = control.paths[template][method.toLowerCase()].responses[status];
      const refusal: unknown = await answer.json();
      expect([call, JSON.stringify(refusal)]).toEqual([call, expect.not.stringContaining('NaN')]);
      const { error } = z.fromJSONSchema(described.content['application/json'].schema).safeParse(refusal);
      expect([call, error]).toEqual([call, undefined]);
    }
  });

  it('names the query parameters of the control interface, which rejects others', async () => {
    const queryOf = (path: string, method: string): string[] =>
      control.paths[`/_control${path}`][method].parameters
        .filter((parameter: any) => parameter.in === 'query')
        .map(({ name }: any) => name);
    expect(queryOf('/requests', 'get')).toEqual(expect.arrayContaining(['waitFor', 'timeoutMs', 'kind']));
    expect(queryOf('/deliveries', 'get')).toEqual(expect.arrayContaining(['waitFor', 'outcome']));
    expect(queryOf('/tenants/{tenancyName}/lists/{name}', 'get')).toEqual([
      'search',
      'sort',
      'userId',
      'actionType',
      'dateRange',
      'page',
      'pageSize',
    ]);
    expect(queryOf('/faults', 'delete')).toEqual(['tenancyName']);
    portal.faults.add({ effect: { kind: 'hang' }, path: '/v1/none' });
    const misspelled = await fetch(`${portal.url}/_control/faults?tenant=acme`, { method: 'DELETE' });
    expect(misspelled.status).toBe(400);
    expect(portal.faults.list()).not.toEqual([]);
    portal.faults.clear();
  });

  it('has schemas that match the validation: a body with only the required fields is accepted', async () => {
    const [tenant] = portal.tenants;
    const { required } = document.paths['/v1/roles'].post.requestBody.content['application/json'].schema;
    expect(required).toEqual(['name', 'type']);
    const response = await fetch(`${portal.url}/v1/roles`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant?.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'From the document', type: 'Report' }),
    });
    expect(response.status).toBe(201);
  });
});

describe('the documentation page and the console', () => {
  it.each(['/docs', '/docs/control', '/'])(
    'load nothing from other hosts and cannot be framed: %s',
    async (path) => {
      const response = await fetch(portal.url + path);
      const html = await response.text();
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      for (const [, address = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g))
        expect(address).toMatch(/^(\/|#|data:)/);
      for (const [, address = ''] of html.matchAll(/(?:src|href)="(\/_assets[^"]+)"/g)) {
        const asset = await fetch(portal.url + address);
        expect([address, asset.status, asset.headers.get('cache-control')]).toEqual([
          address,
          200,
          expect.stringContaining('immutable'),
        ]);
      }
    },
  );

  it('are not on the public origin of a tenant', async () => {
    const ask = (path: string) => askTenant(portal.tenants[0]?.tenantUrl ?? '', path);
    for (const path of ['/docs', '/openapi.json']) expect((await ask(path)).status).toBe(404);
    // Its root says only that reports open in their application.
    expect((await ask('/')).body).toContain('Only embedded reports are available at this address.');
  });
});
