import { createPortal, type Portal } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askTenant } from './onTenant.ts';

let portal: Portal;
let document: any;
beforeAll(async () => {
  portal = await createPortal();
  document = await (await fetch(`${portal.url}/openapi.json`)).json();
});
afterAll(() => portal.close());

const operations = () =>
  Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => ({ path, method, operation })),
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

  it('says of every endpoint, parameter and field where it comes from', () => {
    for (const { path, operation } of operations()) {
      expect(`${path} ${operation['x-provenance']}`).toMatch(/ interface \d/);
      expect(
        operation.parameters.filter((parameter: any) => parameter['x-provenance'] === undefined),
      ).toEqual([]);
      const body = operation.requestBody?.content['application/json'].schema;
      const [status, success] = Object.entries<any>(operation.responses)[0] ?? [];
      expect(Number(status)).toBeLessThan(300);
      expect(unmarked(body, `${path} body`)).toEqual([]);
      expect(unmarked(success?.content?.['application/json'].schema, `${path} answer`)).toEqual([]);
    }
  });

  it('says that the numbers of a query are integers, with their limits (interface 4.5)', () => {
    const { parameters } = document.paths['/v1/audit-logs'].get;
    const schemaOf = (name: string) => parameters.find((parameter: any) => parameter.name === name).schema;
    expect(schemaOf('userId')).toMatchObject({ type: 'integer', minimum: 1 });
    expect(schemaOf('page')).toMatchObject({ type: 'integer', minimum: 1 });
    expect(schemaOf('pageSize')).toMatchObject({ type: 'integer', minimum: 1, maximum: 200 });
    expect(schemaOf('page')).not.toHaveProperty('pattern');
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
  it.each(['/docs', '/'])('load nothing from elsewhere and may not be framed: %s', async (path) => {
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
  });

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
