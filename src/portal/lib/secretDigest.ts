import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 of a secret, hex: the stored form of an API key or a passphrase. */
export const secretDigest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Whether a sent secret is the one with this digest. Both sides are digests of equal length, compared in constant time,
 * so that the response time reveals nothing about the secret.
 */
export const matchesDigest = (sent: string, digest: string): boolean =>
  timingSafeEqual(Buffer.from(secretDigest(sent), 'hex'), Buffer.from(digest, 'hex'));
