import { createHash } from 'node:crypto';

const derived = (text: string) => createHash('sha256').update(`vitrine:${text}`).digest('hex');

/** The API key a tenant gets when its seed names none. Known to everyone: it says so in its text. */
export const developmentApiKey = (tenancyName: string): string =>
  `development-only-api-key.${tenancyName}.${derived(`api key:${tenancyName}`).slice(0, 24)}`;

/** The passphrase a tenant gets when its seed names none. */
export const developmentPassPhrase = (tenancyName: string): string =>
  `development-only-passphrase.${tenancyName}.${derived(`passphrase:${tenancyName}`).slice(0, 16)}`;

/** The webhook secret of seeded tasks that name none. */
export const developmentWebhookSecret = (tenancyName: string): string =>
  `development-only-webhook-secret.${tenancyName}.${derived(`webhook:${tenancyName}`).slice(0, 16)}`;
