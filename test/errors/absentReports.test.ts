import { createPortalClient, isPortalError } from '@vitrine/portal-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectionTo, refusalOf, startStandInPortal } from '../support/standInPortal.ts';

const failureAfter = async (message: string, status = 404) => {
  const portal = await startStandInPortal();
  onTestFinished(() => portal.close());
  portal.answer = () => ({ status, body: refusalOf(status, message) });
  const client = createPortalClient({ embedding: connectionTo(portal.url), maxRetries: 0 });
  onTestFinished(() => client.close());
  return client.embeddedKeys.create({ itemId: 1042, userId: 'anna', lifetimeMs: 3_600_000 }).then(
    () => expect.fail('A key was created.'),
    (error: unknown) => (isPortalError(error) ? error : expect.fail('No PortalError.')),
  );
};

describe('a 404 for a key', () => {
  it.each([
    'Report not found',
    'There is no such item',
    'There is no such an entity. Entity type: Acme.BiReport, id: 1042',
    'There is no such an entity. Entity type: BiItem, id: 1042',
    'Item 9999 does not exist in this tenant.',
    "Report '1042' was not found",
    'Report 1042 not found in tenant acme',
    'Report 1042 not found for user anna',
    'The report has been deleted.',
    'item_not_found',
    'Acme:ReportNotFound',
  ])('says that the report is absent: %s', async (message) => {
    expect(await failureAfter(message)).toMatchObject({
      kind: 'not_found',
      failure: { code: 'item_unknown' },
    });
  });

  it.each([
    'The page you are looking for was not found. Please report this error to the administrator.',
    'Please report this error',
    'The route /bi/report/api was not found',
    'No action CreateEncryptedKey found for item links controller',
    'Role north of report 1042 was not found',
    'API key of report 1042 not found',
    'Item links are not available at this address',
    'There is no such endpoint',
    "No resource matches '/api/report/1042'",
    'Not found: /report',
    'User u1 has no role for report 1042',
    'There is no such an entity. Entity type: Role, id: north',
    'Unknown tenancy name',
    'Could not get the report: the passphrase is wrong',
    'Report not found. The API key is not valid.',
    'The requested resource was not found on this server',
  ])('is about something else, or names nothing, so it is not final: %s', async (message) => {
    const { kind } = await failureAfter(message);
    expect(['invalid_response', 'business']).toContain(kind);
  });
});

describe('a sentence about nothing that was sent', () => {
  it.each([
    ['The portal is under maintenance', 'reason_given'],
    ['An error occurred. Please report this to your administrator.', 'reason_missing'],
    ['An item with the same key has already been added. Key: x', 'reason_missing'],
    ['An unexpected error was reported by the server', 'reason_missing'],
    ['The identity provider is temporarily unavailable', 'reason_given'],
  ])('blames no value: %s', async (message, code) => {
    expect((await failureAfter(message, 503)).failure?.code).toBe(code);
  });

  it.each([
    ['The tenant is unknown', 'tenancy_name_wrong'],
    ['The user is unknown', 'user_refused'],
    ['The report is not shared', 'report_not_shared'],
  ])('control: %s', async (message, code) => {
    expect((await failureAfter(message, 503)).failure?.code).toBe(code);
  });
});
