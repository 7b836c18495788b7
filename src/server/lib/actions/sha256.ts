import { hash } from 'node:crypto';

/** SHA-256 of text or bytes. It uses a string, because `hash` takes twice as long to return a buffer. */
export const sha256 = (data: string | Uint8Array): Buffer =>
  Buffer.from(hash('sha256', data, 'binary'), 'latin1');
