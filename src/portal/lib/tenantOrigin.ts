import { answerAsset } from './assets/assets.ts';
import { credentialOf } from './callers.ts';
import { notAllowed, PortalFailure } from './http/portalFailure.ts';
import { emptyReply, jsonReply, type PortalReply } from './http/portalReply.ts';
import type { PortalRequest } from './http/portalRequest.ts';
import { readJsonBody } from './http/readJsonBody.ts';
import { exportReport } from './reports/exportReport.ts';
import { messagePage } from './reports/messagePage.ts';
import { openReport, type ReportAccess } from './reports/reportAccess.ts';
import { reportPage } from './reports/reportPage.ts';
import { selectionSchema, sendSelection } from './reports/selection.ts';
import { viewerActor } from './reports/viewer.ts';
import { validate } from './service/validate.ts';
import type { Services } from './services.ts';
import { findTenant } from './tenant.ts';

const reportPath = /^\/report\/([^/]+)(?:\/(session|actions|export))?$/;
const itemNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;

const rawPlus =
  'The "+" of the key in ev was not percent-encoded. This portal reads it; another server may read a space. Use encodeURIComponent when you build the address.';

/** Serves a tenant's public origin: its reports and their files, but not the API. */
export const answerOnTenantOrigin = async (
  services: Services,
  request: PortalRequest,
): Promise<PortalReply> => {
  if (request.path.startsWith('/_assets/')) return answerAsset(services, request);
  const tenant = await findTenant(services.db, request.tenancyName ?? '');
  if (tenant === undefined)
    return messagePage('nothing-here', { tenantName: 'Portal', frameAncestors: "'none'" });
  const place = { tenantName: tenant.displayName, frameAncestors: tenant.frameAncestors };
  const match = reportPath.exec(request.path);
  if (match === null && request.path !== '/') return messagePage('nothing-here', place);
  const methods = match?.[2] === undefined ? ['GET', 'HEAD'] : ['POST'];
  if (!methods.includes(request.method)) throw notAllowed(request.method, methods);
  if (match === null) return messagePage('home', place);
  const itemId = itemNumber(match[1]);
  const [, , call] = match;
  // Calls of an open page need a content type and an Authorization header, so other origins cannot make them: both need
  // a CORS preflight, which is never granted.
  const sent = request.query.get('ev');
  const key = call === undefined ? sent : credentialOf(request.headers['authorization'], 'ReportKey');
  if (call === undefined && sent?.includes(' ') === true) request.trace.notes.push(rawPlus);
  // A key has no spaces: each was a "+" as the portal wrote it (docs/interface.md#4.7).
  const access = await openReport(services, tenant, { itemId, key: key?.replaceAll(' ', '+') });
  if (call === 'session')
    return jsonReply(
      200,
      access.kind === 'open'
        ? { state: 'open', endsInMs: access.content.expiresAtMs - services.clock.now() }
        : { state: access.reason, endsInMs: 0 },
    );
  if (access.kind === 'refused' && call !== undefined) throw refusal(access);
  if (access.kind === 'refused') {
    const { reason, hint } = access;
    request.trace.notes.push(hint);
    return messagePage(reason, services.showsHints ? { ...place, hint } : place);
  }
  if (call === undefined) return reportPage(access, request);
  if (call === 'export') return exportReport(access, request);
  const selection = validate(selectionSchema, readJsonBody(request));
  await sendSelection(access, await viewerActor(access, request.ipAddress), selection);
  return emptyReply(202);
};

const refusal = (access: Extract<ReportAccess, { kind: 'refused' }>): PortalFailure =>
  new PortalFailure('The key of the report does not allow this request.', {
    status: 403,
    code: `key_${access.reason.replaceAll('-', '_')}`,
  });
