import { quoteText } from '@vitrine/contract';
import {
  emailKey,
  embeddingKeyHeader,
  maxRlsRoles,
  mintPermissions,
  tenantIdHeader,
} from '@vitrine/contract/service';
import { visible } from '@vitrine/contract/service/schemas';
import { z } from 'zod';
import { actorOf, credentialOf, findCaller, requirePermissions, unauthorized } from '../callers.ts';
import { parseInstant } from '../clock/parseInstant.ts';
import type { Row } from '../database/schema.ts';
import { findRow, type Place } from '../database/tenantRows.ts';
import { invalidField, PortalFailure } from '../http/portalFailure.ts';
import { jsonReply, type PortalReply } from '../http/portalReply.ts';
import type { PortalRequest } from '../http/portalRequest.ts';
import { readJsonBody } from '../http/readJsonBody.ts';
import { type RlsRole, readRlsRoles } from '../rowSecurity.ts';
import { matchesDigest } from '../secretDigest.ts';
import { envelopeSuccess } from '../service/dialects.ts';
import { validate } from '../service/validate.ts';
import type { Services } from '../services.ts';
import type { Tenant } from '../tenant.ts';
import { issueKey } from './issueKey.ts';

/** When a key expires, and the requested expiry if it was shortened. */
interface KeyEnd {
  readonly expiresAtMs: number;
  readonly requestedExpiresAtMs?: number;
}

/** Default lifetime of a key (our choice, gaps: "expiration omitted"). */
const defaultLifetimeMs = 60 * 60 * 1000;
/** Maximum lifetime; a later expiry is shortened. */
const maxLifetimeMs = 24 * 60 * 60 * 1000;

/** The identity of a key's viewer. */
export const viewerIdSchema = z
  .string()
  .min(1)
  .max(256)
  .refine(...visible)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain line breaks or other control characters');

/** Body of CreateEncryptedKey; docs/interface.md#4.6 states all of it. */
export const createEncryptedKeySchema = z.strictObject({
  value: z
    .strictObject({
      userId: viewerIdSchema.describe('Identity of the viewing user, for USERNAME()-style rules.'),
      reportId: z.int().positive().describe('Item ID of the report.'),
      roleNames: z
        .array(z.string().min(1).max(50))
        .max(maxRlsRoles)
        .nullish()
        .describe(
          'RLS role codes; the viewer sees the rows of all of them. Without roles, the viewer of an item that filters rows sees only the rows for `userId`.',
        ),
      expiration: z
        .string()
        .max(64)
        .nullish()
        .describe('Expiry of the key, ISO 8601; default 60 minutes, at most 24 hours.'),
    })
    .describe('Viewer and report of the key.'),
  passPhrase: z.string().min(1).max(1024).describe("The tenant's secret passphrase."),
  tenancyName: z.string().min(1).max(63).describe('Tenant subdomain name.'),
});

/** `POST /api/services/app/ItemLinks/CreateEncryptedKey` (docs/interface.md#4.6). */
export const createEncryptedKey = async (
  services: Services,
  request: PortalRequest,
): Promise<PortalReply> => {
  const { db } = services;
  const sent = credentialOf(request.headers[embeddingKeyHeader.toLowerCase()], 'ApiKey');
  if (sent === undefined)
    throw unauthorized(
      'ApiKey',
      'The header must read "ApiKey <key>" (docs/interface.md#4.6).',
      embeddingKeyHeader,
    );
  const { apiKey, tenant } = (await findCaller(db, sent)) ?? {};
  const tenantId = readTenantId(request);
  // The same response for an unknown key and for another tenant's, so that it does not reveal which tenants exist.
  if (apiKey === undefined || tenant === undefined || tenant.id !== tenantId)
    throw unauthorized(
      'ApiKey',
      `The API key is unknown or revoked, or does not belong to the tenant in ${tenantIdHeader}.`,
      embeddingKeyHeader,
    );
  request.trace.tenancyName = tenant.tenancyName;
  requirePermissions(apiKey, mintPermissions, embeddingKeyHeader);
  const body = validate(createEncryptedKeySchema, readJsonBody(request));
  if (!matchesDigest(body.passPhrase, tenant.passphraseDigest))
    throw businessError('The passphrase is wrong.');
  if (body.tenancyName !== tenant.tenancyName) throw otherTenancy(body.tenancyName, tenant);
  const { value } = body;
  const nowMs = services.clock.now();
  const end = readExpiration(value.expiration, nowMs);
  const place = { db, tenantId };
  const item = await findRow(place, 'items', value.reportId, 'value.reportId');
  const roleNames = [...new Set(value.roleNames ?? [])];
  const roles = roleNames.length === 0 ? [] : await readRlsRoles(place);
  checkRoleNames(roles, roleNames);
  const named = roles.filter(({ code }) => roleNames.includes(code));
  request.trace.notes.push(...keyNotes(end, item, named), ...(await sharingNotes(place, item, value.userId)));
  const actor = actorOf(apiKey, request);
  const key = await issueKey(services, { tenant, item, userId: value.userId, roleNames, ...end, actor });
  return jsonReply(200, envelopeSuccess({ key }));
};

/** ASP.NET Boilerplate responds to business errors with 500 and `success: false`; clients must not retry them. */
const businessError = (message: string): PortalFailure =>
  new PortalFailure(message, { status: 500, code: 'business_error' });

/** Throws 401, as for another tenant's key, unless name and number are of the same tenant. */
const otherTenancy = (sent: string, { tenancyName }: Tenant): PortalFailure => {
  const hint = sent.toLowerCase() === tenancyName ? `: did you mean ${quoteText(tenancyName)}?` : '.';
  // What was sent may be a secret that was put into the wrong field.
  return unauthorized('ApiKey', `The tenancy name does not belong to this tenant${hint}`, 'tenancyName');
};

const readTenantId = (request: PortalRequest): number => {
  const text = request.headers[tenantIdHeader.toLowerCase()];
  if (text === undefined)
    throw invalidField(
      tenantIdHeader,
      'the header is missing; some proxies drop header names that contain a dot',
    );
  if (!/^[1-9]\d{0,9}$/.test(text)) throw invalidField(tenantIdHeader, "must be the tenant's ID");
  return Number(text);
};

const readExpiration = (text: string | null | undefined, nowMs: number): KeyEnd => {
  if (text === null || text === undefined) return { expiresAtMs: nowMs + defaultLifetimeMs };
  const atMs = parseInstant(text);
  if (atMs === undefined)
    throw invalidField('value.expiration', 'must be an ISO 8601 date and time such as 2026-11-20T10:15:00Z');
  if (atMs <= nowMs) throw invalidField('value.expiration', "must be in the future by the portal's clock");
  const latestMs = nowMs + maxLifetimeMs;
  return atMs <= latestMs ? { expiresAtMs: atMs } : { expiresAtMs: latestMs, requestedExpiresAtMs: atMs };
};

/** Rejects names that are not codes of RLS roles, and suggests one that differs only in case. */
const checkRoleNames = (roles: readonly RlsRole[], roleNames: readonly string[]): void => {
  const index = roleNames.findIndex((name) => !roles.some(({ code }) => code === name));
  if (index < 0) return;
  const alike = roles.find(({ code }) => code.toLowerCase() === roleNames[index]?.toLowerCase());
  const suggestion = alike === undefined ? '' : `; did you mean ${quoteText(alike.code)}?`;
  throw invalidField(
    `value.roleNames[${index}]`,
    `is not the code of an RLS role of this tenant${suggestion}`,
  );
};

/** A note about a viewer who is a user of the portal without any of the roles that the item is shared with. */
const sharingNotes = async (
  { db, tenantId }: Place,
  item: Row<'items'>,
  userId: string,
): Promise<string[]> => {
  if (item.roles.length === 0) return [];
  const held = await db
    .selectFrom('users')
    .leftJoin('user_roles', 'user_roles.userId', 'users.id')
    .leftJoin('roles', 'roles.id', 'user_roles.roleId')
    .select('roles.name')
    .where('users.tenantId', '=', tenantId)
    .where('users.emailKey', '=', emailKey(userId))
    .execute();
  if (held.length === 0 || held.some(({ name }) => name !== null && item.roles.includes(name))) return [];
  return [
    `value.userId: this user has none of the roles of item ${item.id}. The portal stores and returns those roles and reads them nowhere: userId and roleNames of a key, and canView of the host, decide who sees what.`,
  ];
};

/** Notes for developers about an issued key, for the request log. */
const keyNotes = (
  { expiresAtMs, requestedExpiresAtMs }: KeyEnd,
  item: { readonly id: number; readonly hasRls: boolean },
  roles: readonly RlsRole[],
): string[] => {
  const notes: string[] = [];
  if (requestedExpiresAtMs !== undefined)
    notes.push(
      `value.expiration: ${new Date(requestedExpiresAtMs).toISOString()} was shortened to ${new Date(expiresAtMs).toISOString()}; a key is valid for at most 24 hours.`,
    );
  if (!item.hasRls) return notes;
  for (const { code } of roles.filter(({ rule }) => rule === null))
    notes.push(
      `value.roleNames: the role "${code}" has no row rule and shows no rows of item ${item.id}. Add a rule in the console or in a seed.`,
    );
  if (roles.length === 0)
    notes.push(
      `value.roleNames: no roles, and item ${item.id} filters rows, so the viewer sees only the rows for value.userId.`,
    );
  return notes;
};
