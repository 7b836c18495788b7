import { mintPermissions } from '@vitrine/contract';
import { z } from 'zod';
import { credentialOf, findApiKey, requirePermissions, unauthorized } from '../auth/apiKey.ts';
import { matchesDigest } from '../auth/secretDigest.ts';
import { parseInstant } from '../clock/parseInstant.ts';
import { jsonReply, type PortalReply, type PortalRequest } from '../http/exchange.ts';
import { invalidField, notFound, PortalFailure } from '../http/portalFailure.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import { stated } from '../openapi/provenance.ts';
import { defaultProfile } from '../profiles/profileSchema.ts';
import { readProfile } from '../profiles/readProfile.ts';
import { envelopeSuccess } from '../service/dialects.ts';
import { validate } from '../service/validate.ts';
import type { Services, Tenant } from '../services.ts';
import { findTenantById } from '../tenants/findTenant.ts';
import { issueKey } from './issueKey.ts';

/** Lifetime of a key whose request names no end (our choice, gaps: "expiration omitted"). */
const defaultLifetimeMs = 60 * 60 * 1000;
/** Longest lifetime; a later end is brought forward. */
const maxLifetimeMs = 24 * 60 * 60 * 1000;

/** Body of CreateEncryptedKey (interface 4.6). */
export const createEncryptedKeySchema = z.strictObject({
  value: stated(
    '4.6',
    z.strictObject({
      userId: stated(
        '4.6',
        z.string().min(1).max(256),
        'Identity of the viewing user, for USERNAME()-style rules.',
      ),
      reportId: stated('4.6', z.int().positive(), 'Item ID of the report.'),
      roleNames: stated(
        '4.6',
        z.array(z.string().min(1).max(50)).max(50).nullish(),
        'RLS role codes; several add up.',
      ),
      expiration: stated(
        '4.6',
        z.string().max(64).nullish(),
        'End of the key, ISO 8601; 60 minutes when left out, at most 24 hours.',
      ),
    }),
    'Whom the key is for, and which report it opens.',
  ),
  passPhrase: stated('4.6', z.string().min(1).max(1024), "The tenant's secret passphrase."),
  tenancyName: stated('4.6', z.string().min(1).max(63), 'Tenant subdomain name.'),
});

/** Result of CreateEncryptedKey. */
export const createEncryptedKeyResultSchema = z.strictObject({
  key: stated('4.6', z.string(), 'The encrypted key: opaque text, base64 with + / and =. Percent-encode it.'),
});

/** `POST /api/services/app/ItemLinks/CreateEncryptedKey` (interface 4.6). */
export const createEncryptedKey = async (
  services: Services,
  request: PortalRequest,
): Promise<PortalReply> => {
  const { db } = services;
  const sent = credentialOf(request.header('authorization'), 'ApiKey');
  if (sent === undefined)
    throw unauthorized('ApiKey', 'The header must read "ApiKey <key>" (interface 4.6).');
  const apiKey = await findApiKey(db, sent);
  const tenant = apiKey && (await findTenantById(db, apiKey.tenantId));
  const profile = tenant === undefined ? defaultProfile : readProfile(tenant.profile);
  const tenantId = readTenantId(request, profile.tenantHeader);
  // One answer for an unknown key and for the key of another tenant: neither says which tenants exist.
  if (apiKey === undefined || tenant === undefined || tenant.id !== tenantId)
    throw unauthorized(
      'ApiKey',
      `The API key is unknown, revoked or not of the tenant in ${profile.tenantHeader}.`,
    );
  request.trace.tenant = tenant;
  requirePermissions(apiKey, mintPermissions);
  const body = validate(createEncryptedKeySchema, readJsonBody(request));
  if (!matchesDigest(body.passPhrase, tenant.passphraseDigest))
    throw businessError('The passphrase is wrong.');
  if (body.tenancyName !== tenant.tenancyName)
    throw businessError(`The tenancy name is not that of the tenant in ${profile.tenantHeader}.`);
  const nowMs = services.clock.now();
  const expiresAtMs = readExpiration(body.value.expiration, nowMs);
  const item = await db
    .selectFrom('items')
    .select(['id', 'display_name', 'has_rls'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', body.value.reportId)
    .executeTakeFirst();
  if (item === undefined) throw notFound('The item', 'value.reportId');
  const roleNames = [...new Set(body.value.roleNames ?? [])];
  await checkRoleNames({ services, tenant, roleNames, hasRls: item.has_rls === 1 });

  const key = await issueKey(services, {
    tenant,
    item,
    userId: body.value.userId,
    roleNames,
    expiresAtMs,
    ...(request.endKeyAfterMs !== undefined && {
      sealedEndMs: Math.min(expiresAtMs, nowMs + request.endKeyAfterMs),
    }),
    actor: {
      userId: apiKey.userId,
      userEmail: apiKey.userEmail ?? `API key "${apiKey.name}"`,
      ipAddress: request.ipAddress,
    },
  });
  return jsonReply(200, envelopeSuccess({ key }));
};

/** ASP.NET Boilerplate answers business errors with 500 and `success: false`; clients must not retry them. */
const businessError = (message: string): PortalFailure =>
  new PortalFailure(message, { status: 500, code: 'business_error' });

const readTenantId = (request: PortalRequest, headerName: string): number => {
  const text = request.header(headerName);
  if (text === undefined)
    throw invalidField(headerName, 'the header is missing; some proxies drop header names that hold a dot');
  if (!/^[1-9]\d{0,9}$/.test(text)) throw invalidField(headerName, "must be the tenant's number");
  return Number(text);
};

const readExpiration = (text: string | null | undefined, nowMs: number): number => {
  if (text === null || text === undefined) return nowMs + defaultLifetimeMs;
  const atMs = parseInstant(text);
  if (atMs === undefined)
    throw invalidField('value.expiration', 'must be an ISO 8601 date and time such as 2026-11-20T10:15:00Z');
  if (atMs <= nowMs) throw invalidField('value.expiration', "must be in the future by the portal's clock");
  return Math.min(atMs, nowMs + maxLifetimeMs);
};

const checkRoleNames = async ({
  services,
  tenant,
  roleNames,
  hasRls,
}: {
  services: Services;
  tenant: Tenant;
  roleNames: readonly string[];
  hasRls: boolean;
}): Promise<void> => {
  if (roleNames.length === 0) {
    if (hasRls)
      throw invalidField('value.roleNames', 'must name at least one RLS role: this item filters its rows');
    return;
  }
  const known = await services.db
    .selectFrom('roles')
    .select('code')
    .where('tenant_id', '=', tenant.id)
    .where('type', '=', 'RLS')
    .where('code', 'in', roleNames)
    .execute();
  const codes = new Set(known.map((role) => role.code));
  const index = roleNames.findIndex((name) => !codes.has(name));
  if (index >= 0)
    throw invalidField(`value.roleNames[${index}]`, 'is not the code of an RLS role of this tenant');
};
