import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The content of an encrypted key: viewer, report and expiry. */
export interface KeyContent {
  readonly tenantId: number;
  readonly itemId: number;
  readonly userId: string;
  readonly roleNames: readonly string[];
  /** Expiry by the portal's clock, in milliseconds. */
  readonly expiresAtMs: number;
  /** The key's link in `GET /v1/links`. */
  readonly linkId: number;
}

const version = 1;
const ivBytes = 12;
const tagBytes = 16;
const headBytes = 1 + ivBytes;
/** Maximum number of vectors to try until the text contains every special character; nine of ten tries succeed. */
const maxTries = 1000;

const associatedData = (tenantId: number) => Buffer.from(`vitrine encrypted key ${version}:${tenantId}`);

const hasEveryAwkwardCharacter = (text: string) =>
  text.includes('+') && text.includes('/') && text.endsWith('=');

/**
 * Encrypts a key's content with AES-256-GCM and the tenant's sealing key, bound to the tenant by the associated data. The text is standard base64
 * and always contains `+`, `/` and `=`: a host that treats one of them wrongly notices with its first key, not just for
 * one viewer in fifty.
 */
export const sealKey = (content: KeyContent, tenantSealKey: string): string => {
  const plain = Buffer.from(JSON.stringify(content));
  const rest = (headBytes + plain.length + tagBytes) % 3;
  const padded = rest === 0 ? Buffer.concat([plain, Buffer.from(' ')]) : plain;
  const sealingKey = Buffer.from(tenantSealKey, 'base64');
  for (let attempt = 0; ; attempt += 1) {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', sealingKey, iv);
    cipher.setAAD(associatedData(content.tenantId));
    const sealed = Buffer.concat([cipher.update(padded), cipher.final()]);
    const text = Buffer.concat([Buffer.from([version]), iv, sealed, cipher.getAuthTag()]).toString('base64');
    if (hasEveryAwkwardCharacter(text) || attempt >= maxTries) return text;
  }
};

const isBase64 = (text: string) => /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0;

/** Opens a key with a tenant's sealing key; undefined for keys of other tenants, changed keys and other text. */
export const openKey = (text: string, tenantId: number, tenantSealKey: string): KeyContent | undefined => {
  if (!isBase64(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  // Base64 with set spare bits in the last character decodes to the same bytes; only the canonical text is valid.
  if (bytes.toString('base64') !== text) return undefined;
  if (bytes.length < headBytes + tagBytes || bytes[0] !== version) return undefined;
  const sealingKey = Buffer.from(tenantSealKey, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', sealingKey, bytes.subarray(1, headBytes));
    decipher.setAAD(associatedData(tenantId));
    decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
    const plain = Buffer.concat([
      decipher.update(bytes.subarray(headBytes, bytes.length - tagBytes)),
      decipher.final(),
    ]);
    // Authenticated content was written by sealKey above, so it is a KeyContent.
    return JSON.parse(plain.toString()) as KeyContent;
  } catch {
    return undefined;
  }
};
