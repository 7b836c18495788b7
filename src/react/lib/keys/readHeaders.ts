import { EmbedError } from '../errors/embedError.ts';
import type { KeyRequestHeaders } from './keyRequestOptions.ts';

/** Gets the host's headers for one request. Rejects with an {@link EmbedError} if the host's function fails. */
export const readHeaders = async (
  headers: () => KeyRequestHeaders | Promise<KeyRequestHeaders>,
): Promise<KeyRequestHeaders> => {
  try {
    return await headers();
  } catch (cause) {
    throw new EmbedError('headers_failed', { cause });
  }
};
