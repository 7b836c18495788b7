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
    'Report 1042 does not exist',
    'There is no such item',
    'There is no such item.',
    'There is no such report.',
    'No such item',
    'No item.',
    'There is no such an entity. Entity type: Acme.BiReport, id: 1042',
    'There is no such an entity. Entity type: BiItem, id: 1042',
    'There is no such an entity. Entity type: Abp.Reports.BiReport, id: 1042',
    'Item 7 does not exist',
    'Item 9999 does not exist in this tenant.',
    'Not found: item',
    'Not found: Report 1042',
    'The requested report could not be found.',
    "Report '1042' was not found",
    `Report "Sales by region" doesn't exist.`,
    'The report with ID 1042 was not found',
    'Item with id: 1042 not found',
    'There is no report with ID 1042 in this tenant.',
    'There is no report 1042',
    'Cannot find report 1042',
    'Could not find the requested item.',
    'Unable to locate item 6f9619ff-8b86-d011-b42d-00c04fc964ff',
    'Report 6f9619ff-8b86-d011-b42d-00c04fc964ff was not found',
    'Item no longer exists',
    'Item 1042 is gone',
    'Error: Report not found',
    'No report found',
    'The report has been deleted.',
    'Unknown report 1042',
    'Report with this ID does not exist',
    'The item was not found',
    'Request failed. Item #1042 not found.',
    'Report (1042) not found',
    'No report exists with ID 1042',
    'Report id 1042 not found',
    'There is no item with the ID 1042.',
    'Menu closed. Report not found',
    'Report 1042 not found in tenant acme',
    'Could not find item',
    'The requested report could not be located.',
    'Report 1042 is not available',
    'Report with guid 6f9619ff-8b86-d011-b42d-00c04fc964ff not found',
    'The report identified by 1042 was not found',
    'Embedded report not found',
    'Report has been archived',
    `Report ${'f'.repeat(2000)}1 not found`,
    'There is no entity BiItem with id = 1042!',
    'Entity "Report" (1042) was not found.',
    "Couldn't find Item with 'id'=1042",
    'Report 1042 is missing',
    'reportId 1042 not found',
    'The report you requested could not be found.',
    'There is no report with the number 1042 in this tenant',
    'Dashboard 1042 was not found',
    'Sorry, report 1042 was not found',
    'Report not found or you have no access',
    'Report 1042 not found for user anna',
    'Report "Sales in North" was not found',
    'Report not found, please check the ID',
    'Could not retrieve report 1042: it does not exist',
    'Report doesn’t exist',
    'Power BI report 1042 was not found on this server',
    'item_not_found',
    'Acme:ReportNotFound',
    'report:unknown',
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
    'Cannot find the report server',
    'No action CreateEncryptedKey found for item links controller',
    'Menu item not found',
    'Menu item not found. Report the problem.',
    'Role north of report 1042 was not found',
    'API key of report 1042 not found',
    'Workspace of the report was not found',
    'Tenant acme not found, so report 1042 cannot be opened',
    'The service ItemLinks was not found',
    'The reporting service is not deployed here',
    'No handler for BiItems',
    'BiReport license not found',
    'Item links are not available at this address',
    'Dashboard not found',
    'There is no such endpoint',
    "No resource matches '/api/report/1042'",
    'Report server not found',
    'The report API was not found',
    'Cannot find report page',
    'No item handler found',
    'Not found: /report',
    'Not found: report/api',
    'Not found. Report this problem.',
    'Not found: report the address to the operator',
    'No report controller',
    'Unknown item type',
    'There is no report service at this address',
    'The item route does not exist',
    'report.example was not found',
    'The host report.example was not found',
    'Page not found. Item list is at /items',
    'No route found for "report"',
    'User u1 has no role for report 1042',
    'There is no such an entity. Entity type: Role, id: north',
    'There is no such an entity. Entity type: Tenant, id: report',
    'The user was not found. Report it.',
    'Line item pricing not found',
    'Cannot find item links',
    'Report to the operator: page not found',
    'Item-links not found',
    'No report-server found',
    'report-api not found',
    'There is no such an entity. Entity type: Acme.ReportRole, id: 3',
    'No items found',
    'Unknown tenancy name',
    'Workspace 7 of report 1042 was not found',
    'The server of report 1042 is missing',
    'Report 1042 is not enabled for user anna',
    'Not found. Report this.',
    'User anna or report 1042 not found',
    'Could not get the report: the passphrase is wrong',
    'Cannot find report. The tenant does not exist.',
    'Report not found. The API key is not valid.',
    'Unable to get the report: user is not found',
    'Unable to load report, gateway timed out',
    'Item not found: /api/services/app/ItemLinks/CreateEncryptedKey',
    'Reports not found',
    'No such table: item',
    'Workspace not found: report 1042',
    'The requested resource was not found on this server',
    'Item 7: page not found',
    `Report ${'1'.repeat(2000)} page not found`,
  ])('only mentions a report, so it is not final: %s', async (message) => {
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
