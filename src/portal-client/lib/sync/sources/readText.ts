import { TextDecoder } from 'node:util';
import { PortalError } from '../../errors/portalError.ts';

/** Text from a file: whole, or in chunks of text or bytes. */
export type TextSource = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/**
 * Reads the chunks of a source as text. Bytes must be UTF-8 (or UTF-16 with a byte order mark, as from spreadsheets):
 * otherwise broken names would be written to the tenant.
 */
export async function* readText(source: TextSource): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoder | undefined;
  for await (const piece of pieces(source)) {
    if (typeof piece === 'string') {
      yield piece;
      continue;
    }
    decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
    yield decode(decoder, piece);
  }
  if (decoder !== undefined) yield decode(decoder, undefined);
}

const pieces = (source: TextSource): Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> =>
  typeof source === 'string' || source instanceof Uint8Array ? [source] : source;

const encodingOf = (start: Uint8Array): string => {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
};

const decode = (decoder: TextDecoder, bytes: Uint8Array | undefined): string => {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw new PortalError(
      'The source is not UTF-8 text. Save it as UTF-8 ("CSV UTF-8" in a spreadsheet) and try again.',
      {
        kind: 'config',
        code: 'source_not_utf8',
      },
    );
  }
};

/** Creates an error about a source. */
export const sourceError = (code: string, message: string): PortalError =>
  new PortalError(message, { kind: 'config', code });

/** The position of a record at the start of a sentence: `Line 12`. */
export const startOf = (origin: string): string => `${origin.charAt(0).toUpperCase()}${origin.slice(1)}`;

/** Names of a source in a message: quoted, shortened, at most 20. */
export const nameList = (names: readonly string[]): string =>
  names
    .slice(0, 20)
    .map((name) => JSON.stringify(name.slice(0, 40)))
    .join(', ');
