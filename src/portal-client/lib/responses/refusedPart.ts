import type { CallFailure, RefusedPart } from '../errors/portalError.ts';

// In this order: "the user has no RLS role for the report" is about the role.
const patterns: readonly (readonly [RefusedPart, RegExp])[] = [
  ['tenant_header', /tenant[ .-]?id\b|(?<!forgery )\bheader\b/i],
  ['ip_address', /\bip\b/i],
  ['permissions', /permission|\bAdministration\.\w/i],
  ['api_key', /\bapi[ -]?key\b/i],
  [
    'operator',
    /licen[cs]e|capacity|quota|\bAADSTS|tenan.*(not active|inactive|disabled|deactivated|suspended)/i,
  ],
  // "Expired" refers to something else.
  ['expiration', /expir(?!ed)|lifetime/i],
  ['roles', /role|\brls\b|requires effective identity/i],
  ['report', /report|item/i],
  ['passphrase', /pass[ -]?phrase/i],
  ['tenancy_name', /tenan/i],
  // "The current user" is that of the API key.
  ['user', /(?<!current )user|identity/i],
];

/** The portal's message, and the fields it names. */
export const portalWords = ({ message, validationErrors = [] }: CallFailure): string =>
  [...validationErrors.flatMap((error) => [error.field, error.message]), message].join(' ');

/** The part that the portal's message is about; undefined if it names none. A message is evidence, not proof. */
export const refusedPart = (failure: CallFailure): RefusedPart | undefined => {
  const words = portalWords(failure);
  const named = patterns.filter(([, pattern]) => pattern.test(words)).map(([part]) => part);
  // "The API key does not belong to the tenant in the header" names both.
  if (named[0] === 'tenant_header' && named.includes('api_key')) return 'api_key';
  // A message about a user's report names both.
  if (failure.kind === 'not_found' && named.includes('report')) return 'report';
  // "The user is not authenticated" refers to the API key.
  return failure.kind === 'unauthorized' && named[0] === 'user' ? undefined : named[0];
};

/** Whether the portal's message says more than that something failed. */
export const hasReason = ({ message }: CallFailure): boolean =>
  message !== '' && !/error occurred|internal (server )?error|unexpected|unknown error/i.test(message);

/** Permissions that a refusal names. */
export const namedPermissions = (failure: CallFailure): readonly string[] => [
  ...new Set(portalWords(failure).match(/\b[A-Z]\w+(?:\.[A-Z]\w+)+\b/g)),
];
