import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPortal, type Portal } from '@vitrine/portal';
import { generateSource } from 'oazapfts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { withoutReferences } from '../../src/portal/lib/openapi/namedSchemas.ts';
import { askTenant } from './onTenant.ts';

let portal: Portal;
let document: any;
/** The document as it is sent, with its references. */
let sent: any;
beforeAll(async () => {
  portal = await createPortal();
  sent = await (await fetch(`${portal.url}/openapi.json`)).json();
  document = withoutReferences(sent, sent.components.schemas);
});
afterAll(() => portal.close());

const operations = () =>
  Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]) => ({ path, method, operation })),
  );

/** Fields of a schema that do not say where they come from. */
const unmarked = (schema: any, path: string, isInherited = false): string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  return [
    ...Object.entries<any>(schema.properties ?? {}).flatMap(([name, property]) => {
      const isMarked = isInherited || property['x-provenance'] !== undefined;
      return [...(isMarked ? [] : [`${path}.${name}`]), ...unmarked(property, `${path}.${name}`, isMarked)];
    }),
    ...unmarked(schema.items, `${path}[]`, isInherited),
    ...(schema.anyOf ?? []).flatMap((part: unknown) => unmarked(part, path, isInherited)),
  ];
};

describe('the OpenAPI document', () => {
  it('is version 3.1 and names every endpoint of section 4', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(
      operations()
        .filter(({ path }) => !path.startsWith('/_control'))
        .map(({ method, path }) => `${method.toUpperCase()} ${path}`)
        .sort((left, right) => left.localeCompare(right)),
    ).toEqual(
      [
        'DELETE /v1/users/{userId}',
        'GET /report/{reportId}',
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

  it('says of every endpoint, parameter and field where it comes from', () => {
    for (const { path, operation } of operations()) {
      if (path.startsWith('/_control')) {
        expect(operation['x-provenance']).toBe('extension');
        continue;
      }
      expect(`${path} ${operation['x-provenance']}`).toMatch(/ interface \d/);
      expect(
        operation.parameters.filter((parameter: any) => parameter['x-provenance'] === undefined),
      ).toEqual([]);
      const body = operation.requestBody?.content['application/json'].schema;
      const [status, success] = Object.entries<any>(operation.responses)[0] ?? [];
      expect(Number(status)).toBeLessThan(300);
      expect(unmarked(body, `${path} body`)).toEqual([]);
      expect(unmarked(success?.content?.['application/json']?.schema, `${path} answer`)).toEqual([]);
    }
  });

  it('says that the numbers of a query are integers, with their limits (docs/interface.md#4.5)', () => {
    const { parameters } = document.paths['/v1/audit-logs'].get;
    const schemaOf = (name: string) => parameters.find((parameter: any) => parameter.name === name).schema;
    expect(schemaOf('userId')).toMatchObject({ type: 'integer', minimum: 1 });
    expect(schemaOf('page')).toMatchObject({ type: 'integer', minimum: 1 });
    expect(schemaOf('pageSize')).toMatchObject({ type: 'integer', minimum: 1, maximum: 200 });
    expect(schemaOf('page')).not.toHaveProperty('pattern');
  });

  it('names its shared schemas, the same one wherever it is used', () => {
    expect(Object.keys(sent.components.schemas)).toEqual(
      expect.arrayContaining([
        'User',
        'UserList',
        'Role',
        'Item',
        'Task',
        'Link',
        'AuditRecord',
        'Error',
        'Fault',
      ]),
    );
    const answer = (path: string, method: string, status: string) =>
      sent.paths[path][method].responses[status].content['application/json'].schema;
    expect(answer('/v1/users', 'post', '201')).toEqual({ $ref: '#/components/schemas/User' });
    expect(answer('/v1/users/{userId}', 'get', '200')).toEqual(answer('/v1/users', 'post', '201'));
    expect(answer('/v1/roles', 'get', '403')).toEqual({ $ref: '#/components/schemas/Error' });
    expect(JSON.stringify(sent.webhooks)).toContain('ActionWebhook');
  });

  it('names control paths that exist, with every method of theirs', async () => {
    for (const [path, methods] of Object.entries<any>(document.paths)) {
      if (!path.startsWith('/_control')) continue;
      const url = portal.url + path.replaceAll(/\{\w+\}/g, '1');
      const answer = await fetch(url, { method: 'PROPFIND' });
      const allowed = (answer.headers.get('allow') ?? '').split(', ').filter((one) => one !== 'HEAD');
      const named = Object.keys(methods).map((method) => method.toUpperCase());
      expect([path, answer.status, allowed]).toEqual([path, 405, expect.arrayContaining(named)]);
    }
  });

  it('gives examples that the portal accepts', async () => {
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

  it('is what a code generator makes a client with named types of', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-openapi-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(sent));
    const code = await generateSource(join(folder, 'openapi.json'));
    for (const name of ['User', 'UserList', 'CreateEncryptedKeyRequest'])
      expect(code).toMatch(new RegExp(`export type ${name} =`));
    for (const name of ['listUsers', 'createRole', 'createEncryptedKey', 'openReport'])
      expect(code).toContain(`export function ${name}(`);
  });

  it('is refused by nothing that validates: a body made from its own required fields is accepted', async () => {
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
  it.each(['/docs', '/docs/try', '/'])(
    'load nothing from elsewhere and may not be framed: %s',
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

  it('show every endpoint on one page', async () => {
    const html = await (await fetch(`${portal.url}/docs`)).text();
    for (const { operation } of operations()) expect(html).toContain(`id="${operation.operationId}"`);
    expect(html).toContain('our choice');
  });

  it('are not on the public origin of a tenant', async () => {
    for (const path of ['/', '/docs', '/openapi.json'])
      expect((await askTenant(portal.tenants[0]?.tenantUrl ?? '', path)).status).toBe(404);
  });
});
