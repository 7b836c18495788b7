import { createPortal, type Portal, type PortalTenant } from '@vitrine/portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from './administer.ts';
import { requestKey } from './mint.ts';

describe('a rejected field', () => {
  let portal: Portal;
  let acme: PortalTenant;

  beforeAll(async () => {
    portal = await createPortal();
    acme = await portal.createTenant();
  });
  afterAll(() => portal.close());

  it.each([
    [{ email: null }, 'email: must be a string, not null'],
    [{ lastName: 5 }, 'lastName: must be a string, not 5'],
    [{ roles: 'Viewer' }, 'roles: must be an array, not a string'],
    [{ roles: [true] }, 'roles[0]: must be a string, not true'],
    [{ type: 'user' }, 'type: must be "DirectoryAD", "DirectoryADExternal", "UserPass" or "MobileID"'],
    [{ firstName: 'x'.repeat(65) }, 'firstName: must be at most 64 characters'],
    [{ email: 'nobody' }, 'email: must be an email address, not "nobody"'],
    [{ email: undefined }, 'email: is required'],
  ])('has a message with the requirement: %j', async (change, message) => {
    const user = { type: 'UserPass', email: 'a@acme.example', firstName: 'A', lastName: 'B', ...change };
    const { status, body } = await administer(acme, 'POST /v1/users', { body: user });
    expect(status).toBe(400);
    expect(body.error.message).toBe(message);
  });

  it.each([
    [{ reportId: '1042' }, 'value.reportId: must be a number, not a string'],
    [{ reportId: 10.5 }, 'value.reportId: must be a whole number, not 10.5'],
    [{ userId: '' }, 'value.userId: must not be empty'],
    [{ userId: '  ' }, 'value.userId: must have a visible character'],
    [{ userId: '\u200B' }, 'value.userId: must have a visible character'],
    [{ userId: 'a\nb' }, 'value.userId: must not contain line breaks or other control characters'],
    [{ roleNames: 'region-north' }, 'value.roleNames: must be an array, not a string'],
  ])('has a message with the requirement in a key request: %j', async (change, message) => {
    const answer = await requestKey({
      tenant: acme,
      itemId: 1042,
      body: {
        value: { userId: 'jane', reportId: 1042, ...change },
        passPhrase: acme.passPhrase,
        tenancyName: acme.tenancyName,
      },
    });
    expect(await answer.json()).toMatchObject({ error: { message } });
  });

  it.each([
    ['users?page=99999999999999999999', 'page: must be between 1 and 10000000'],
    ['users?page=-1', 'page: must be between 1 and 10000000'],
    ['audit-logs?userId=99999999999', 'userId: must be between 1 and 2147483647'],
    ['users?page=1.5', 'page: must be a whole number'],
  ])('has a message with the requirement in a query: %s', async (query, message) => {
    const { status, body } = await administer(acme, `GET /v1/${query}`);
    expect([status, body.error.message]).toEqual([400, message]);
  });
});
