import { createHash } from 'node:crypto';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Derives a GUID from a text (version 8, RFC 9562). */
export const derivedGuid = (text: string): string => {
  const hex = sha256(`vitrine guid:${text}`);
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** The API key of a tenant whose seed has none. Public, as its text says. */
export const developmentApiKey = (tenancyName: string): string =>
  `development-only-api-key.${tenancyName}.${sha256(`vitrine:api key:${tenancyName}`).slice(0, 24)}`;

/** The passphrase of a tenant whose seed has none. */
export const developmentPassPhrase = (tenancyName: string): string =>
  `development-only-passphrase.${tenancyName}.${sha256(`vitrine:passphrase:${tenancyName}`).slice(0, 16)}`;

/** The webhook secret of seeded tasks without one. */
export const developmentWebhookSecret = (tenancyName: string): string =>
  `development-only-webhook-secret.${tenancyName}.${sha256(`vitrine:webhook:${tenancyName}`).slice(0, 16)}`;
