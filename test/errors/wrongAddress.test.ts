import { createPortal } from '@vitrine/portal';
import { createFetchHandler } from '@vitrine/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keyRequest, viewerByHeader } from '../support/keyRequest.ts';
import { recordLog } from '../support/recordLog.ts';
import { connectionTo, envelopeOf, refusalOf, startStandInPortal } from '../support/standInPortal.ts';

const mount = (portal: ReturnType<typeof connectionTo>) => {
  const { lines, ...logger } = recordLog();
  const handler = createFetchHandler({ portal, viewer: viewerByHeader, canView: () => true, logger });
  onTestFinished(() => handler.close());
  const ask = async (itemId = 1042) => {
    const response = await handler(keyRequest(itemId));
    const { code = 'key' } = (await response.json()) as { code?: string }; // a problem document, or a key
    return `${response.status} ${code}`;
  };
  return { ask, hint: () => String(lines.at(-1)?.fields['hint']) };
};

/** What servers say of a path that they do not have. */
const unknownPaths = [
  ['a page', '<html>404 Not Found</html>'],
  ['an empty body', ''],
  ['an envelope', refusalOf(404, 'There is no such endpoint.')],
  [
    'an envelope that repeats the path',
    refusalOf(404, "No resource matches '/api/services/app/ItemLinks/CreateEncryptedKey'."),
  ],
  ['an envelope that repeats the address', refusalOf(404, 'Nothing at https://reports.example/v2/x.')],
  ['an envelope that names the service', refusalOf(404, 'The service ItemLinks is unknown.')],
  ['text', 'Item 1042 not found'],
  ['JSON without a name', { message: 'Not found' }],
  ...[
    'The page you are looking for was not found. Please report this error to the administrator.',
    'The route /bi/report/api was not found',
    'No action CreateEncryptedKey found for item links controller',
    'Item links are not available at this address',
  ].map((message) => [`an envelope: ${message}`, refusalOf(404, message)] as const),
  ['JSON that repeats the path', { message: 'Cannot POST /api/services/app/ItemLinks/CreateEncryptedKey' }],
] as const;

describe('a 404 of the portal that names no report', () => {
  it.each(unknownPaths)('is a wrong address, and the next request gets a key: %s', async (_what, body) => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    portal.answer = () => ({ status: 404, body });
    const { ask, hint } = mount(connectionTo(portal.url));
    // Browsers repeat a request after this code: see test/errors/wrongPage.test.tsx.
    expect(await ask()).toBe('502 portal_invalid_response');
    expect(hint()).toMatch(/^Check apiBaseUrl: the service there is not the portal API/);
    portal.answer = () => ({ body: envelopeOf('key-1') });
    expect(await ask()).toBe('200 key');
  });

  it.each([
    ['Role north of report 1042 was not found', 'Compare the roleNames'],
    ['API key of report 1042 not found', 'Check apiKey'],
  ])('is about the thing that it names: %s', async (message, advice) => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    portal.answer = () => ({ status: 404, body: refusalOf(404, message) });
    const { ask, hint } = mount(connectionTo(portal.url));
    expect(await ask()).toBe('502 portal_refused');
    expect(hint()).toContain(advice);
  });

  it.each([
    ['the item', refusalOf(404, 'There is no such item.')],
    ['the entity', refusalOf(404, 'There is no such an entity. Entity type: Acme.BiReport, id: 1042')],
    ['the report', { message: 'Report not found' }],
    ['the report with its ID', { error: { message: 'Report 1042 does not exist' } }],
    ['the item as text', { error: 'Cannot find the requested item' }],
    ['the item in a problem', { title: 'Not Found', status: 404, detail: 'There is no such item' }],
    ['the report in a code', { success: false, error: { code: 'ReportNotFound', message: 'It is missing' } }],
    ['the item in a code', { code: 'Acme:item_not_found' }],
    ['the field', { error: { message: 'Not found', validationErrors: [{ field: 'value.reportId' }] } }],
    ['the report by its name', refusalOf(404, "The report 'Sales' could not be found")],
    ['the item with an ID', refusalOf(404, 'There is no item with ID 1042 in this tenant')],
  ])('control: one that names %s says so to the viewer', async (_what, body) => {
    const portal = await startStandInPortal();
    onTestFinished(() => portal.close());
    portal.answer = () => ({ status: 404, body });
    const { ask } = mount(connectionTo(portal.url));
    expect(await ask()).toBe('404 report_unavailable');
  });

  it('comes from our own portal at a path that it does not have', async () => {
    const portal = await createPortal();
    onTestFinished(() => portal.close());
    const [tenant] = portal.tenants;
    if (tenant === undefined) throw new Error('The portal has no tenant.');
    const { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase } = tenant;
    const connection = { tenantUrl, apiBaseUrl, tenantId, tenancyName, apiKey, passPhrase };
    const wrong = mount({ ...connection, apiBaseUrl: `${apiBaseUrl}/v2` });
    expect(await wrong.ask()).toBe('502 portal_invalid_response');
    expect(wrong.hint()).toMatch(/^Check apiBaseUrl/);
    // Control: the right address, with an item that is absent.
    expect(await mount(connection).ask(9999)).toBe('404 report_unavailable');
  });
});
