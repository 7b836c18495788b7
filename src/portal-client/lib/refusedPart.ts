import type { AdviceCode } from '@vitrine/contract/service';
import type { CallFailure } from './errors.ts';

/** How much of a portal's text is understood: it may send megabytes, and patterns take long over one long word. */
const maxUnderstood = 4000;

// In this order: "the user has no RLS role for the report" is about the role.
const patterns: readonly (readonly [AdviceCode, RegExp])[] = [
  ['tenant_header_lost', /tenant[ .-]?id\b|(?<!forgery )\bheader\b/i],
  ['ip_address_blocked', /\bip\b/i],
  ['permission_missing', /permission|\bAdministration\.\w/i],
  ['api_key_wrong', /api[ _-]?key/i],
  ['passphrase_wrong', /pass[ _-]?phrase/i],
  [
    'operator_only',
    /licen[cs]e|capacity|quota|\bAADSTS|tenan.*(not active|inactive|disabled|deactivated|suspended)/i,
  ],
  // "Expired" refers to something else.
  ['expiration_refused', /expir(?!ed)|lifetime/i],
  ['roles_refused', /role|\brls\b|requires effective identity/i],
  ['report_not_shared', /(?<!please )report(?!ed)|item(?![ -]?links)/i],
  ['tenancy_name_wrong', /\btenan/i],
  // "The current user" is that of the API key.
  ['user_refused', /(?<!current )user|identity(?! provider)/i],
];

/** Whether the portal's message says more than that something failed. */
export const hasReason = ({ message }: CallFailure): boolean =>
  message !== '' &&
  !/error occurred|internal (server )?error|unexpected|unknown error|same key has already been added/i.test(
    message,
  );

/** The portal's message, if it gives a reason, and the fields it names. */
export const portalWords = (failure: CallFailure): string =>
  [
    ...(failure.validationErrors ?? []).flatMap((error) => [error.field, error.message]),
    hasReason(failure) ? failure.message : '',
  ]
    .join(' ')
    .slice(0, maxUnderstood);

/** The part that the portal's message is about; undefined if it names none. A message is evidence, not proof. */
export const refusedPart = (failure: CallFailure): AdviceCode | undefined => {
  // The address of the request, which a server repeats, names nothing.
  const words = portalWords(failure).replaceAll(/https?:\/\/\S+|(?<!\S)["']?\/\S+|\S*\/ItemLinks\b\S*/gi, '');
  const named = patterns.filter(([, pattern]) => pattern.test(words)).map(([part]) => part);
  // "The API key does not belong to the tenant in the header" names both.
  if (named[0] === 'tenant_header_lost' && named.includes('api_key_wrong')) return 'api_key_wrong';
  // "The user is not authenticated" refers to the API key.
  return failure.kind === 'unauthorized' && named[0] === 'user_refused' ? undefined : named[0];
};
