import { EmbedError } from '../errors/embedError.ts';
import type { KeyRequestHeaders } from './keyRequest.ts';

/** Calls the host's function for the headers of one request. Rejects with an {@link EmbedError} when it fails. */
export const readHeaders = async (
  headers: () => KeyRequestHeaders | Promise<KeyRequestHeaders>,
): Promise<KeyRequestHeaders> => {
  try {
    return await headers();
  } catch (cause) {
    throw new EmbedError('headers_failed', { cause });
  }
};
