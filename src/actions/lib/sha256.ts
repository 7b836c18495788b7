import { hash } from 'node:crypto';

/** SHA-256 of a text or of bytes. It goes through a string, because `hash` takes twice as long to make a buffer itself. */
export const sha256 = (data: string | Uint8Array): Buffer =>
  Buffer.from(hash('sha256', data, 'binary'), 'latin1');
