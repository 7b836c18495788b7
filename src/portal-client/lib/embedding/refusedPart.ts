import type { CallFailure } from '../errors/portalError.ts';

/** What a portal may refuse about a key request. */
export type RefusedPart =
  | 'tenant_header'
  | 'api_key'
  | 'expiration'
  | 'roles'
  | 'report'
  | 'passphrase'
  | 'tenancy_name'
  | 'user';

// In this order: "the user has no RLS role for the report" is about the role.
const patterns: readonly (readonly [RefusedPart, RegExp])[] = [
  ['tenant_header', /tenant[ .-]?id\b|(?<!forgery )\bheader\b/i],
  ['api_key', /\bapi[ -]?key\b/i],
  // What has expired is something else: a licence, say.
  ['expiration', /expir(?!ed)|lifetime/i],
  ['roles', /role|\brls\b|requires effective identity/i],
  ['report', /report|\bitem/i],
  ['passphrase', /pass[ -]?phrase/i],
  ['tenancy_name', /tenan/i],
  ['user', /user|identity/i],
];

/** What the portal said, and the fields it named. */
export const portalWords = ({ message, validationErrors = [] }: CallFailure): string =>
  [...validationErrors.flatMap((error) => [error.field, error.message]), message].join(' ');

/** What the portal's words are about; undefined when they name nothing. Words are not an interface: evidence, not proof. */
export const refusedPart = (failure: CallFailure): RefusedPart | undefined => {
  const words = portalWords(failure);
  return patterns.find(([, pattern]) => pattern.test(words))?.[0];
};
