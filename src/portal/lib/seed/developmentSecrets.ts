import { createHash } from 'node:crypto';

const derived = (text: string) => createHash('sha256').update(`vitrine:${text}`).digest('hex');

/** The API key of a tenant whose seed has none. Public, as its text says. */
export const developmentApiKey = (tenancyName: string): string =>
  `development-only-api-key.${tenancyName}.${derived(`api key:${tenancyName}`).slice(0, 24)}`;

/** The passphrase of a tenant whose seed has none. */
export const developmentPassPhrase = (tenancyName: string): string =>
  `development-only-passphrase.${tenancyName}.${derived(`passphrase:${tenancyName}`).slice(0, 16)}`;

/** The webhook secret of seeded tasks without one. */
export const developmentWebhookSecret = (tenancyName: string): string =>
  `development-only-webhook-secret.${tenancyName}.${derived(`webhook:${tenancyName}`).slice(0, 16)}`;
