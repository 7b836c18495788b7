import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { quoteText } from '@vitrine/contract';
import { configError } from '../errors.ts';

/** Text from a file: whole, or in chunks of text or bytes. */
export type TextSource = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** An encoding that a source may have; without one it is found: UTF-8, or UTF-16 with or without a mark. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Reads the chunks of a source as text. Bytes that are not in the encoding are an error: otherwise broken names would be
 * written to the tenant.
 */
export async function* readText(
  source: TextSource,
  encoding?: TextEncoding,
): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoder | undefined;
  for await (const piece of typeof source === 'string' || source instanceof Uint8Array ? [source] : source) {
    if (typeof piece === 'string') {
      yield piece.replace(/^\uFEFF/, '');
      continue;
    }
    if (piece.length === 0) continue;
    decoder ??= new TextDecoder(encoding ?? encodingOf(piece), { fatal: true });
    yield decode(decoder, piece);
  }
  if (decoder !== undefined) yield decode(decoder, undefined);
}

/** Reads a text until `isEnough` is true of its start, and returns it with the start. */
export const readStart = async (
  text: AsyncGenerator<string, void, undefined>,
  isEnough: (start: string) => boolean,
): Promise<AsyncIterable<string>> => {
  let start = '';
  for (let next = await text.next(); !next.done; next = await text.next()) {
    start += next.value;
    if (isEnough(start)) break;
  }
  return (async function* all() {
    yield start;
    yield* text;
  })();
};

/**
 * Lets a stream that fails before its rows are read pass its error on to their reader. Without a listener, the error would
 * end the process.
 */
export const holdError = (source: TextSource): void => {
  if (source instanceof Readable) source.on('error', () => undefined);
};

/** UTF-16 without a mark has a zero in one half of most characters of a header. */
const encodingOf = (start: Uint8Array): TextEncoding => {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  if (start[0] !== 0 && start[1] === 0 && start[3] === 0) return 'utf-16le';
  return start[0] === 0 && start[1] !== 0 && start[2] === 0 ? 'utf-16be' : 'utf-8';
};

const decode = (decoder: TextDecoder, bytes: Uint8Array | undefined): string => {
  try {
    const text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    // windows-1252 has no character for five bytes, which the decoder lets pass as control characters.
    if (decoder.encoding !== 'windows-1252' || !/[\x81\x8D\x8F\x90\x9D]/.test(text)) return text;
  } catch {
    // Bytes that are not in the encoding.
  }
  throw configError(
    'source_encoding',
    `The source is not ${decoder.encoding.toUpperCase()} text. Save it as UTF-8 ("CSV UTF-8" in a spreadsheet), or name its encoding with {encoding}: windows-1252 is that of many older Windows programs, but not of a Windows console (CP850), whose files must be saved again. Compare names with accents in the plan.`,
  );
};

/** Names of a source in a message: quoted, on one line, shortened, at most 20. */
export const nameList = (names: readonly string[]): string => {
  const shown = names.slice(0, 20).map((name) => JSON.stringify(oneLine(name).slice(0, 60)));
  return [...shown, ...(names.length > 20 ? [`and ${names.length - 20} more`] : [])].join(', ');
};

/** A text without line breaks and repeated spaces, as in the name of a column. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A text in the form in which names are compared: trimmed, and in NFC. */
export const nfc = (text = ''): string => text.trim().normalize('NFC');

/** A name without what readers do not see: case, compatible forms, odd spaces and invisible characters. */
export const folded = (text: string): string =>
  nfc(
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/\p{Cf}/gu, '')
      .replaceAll(/\s+/g, ' '),
  );

/** A value of a source in a message. */
export const shown = (value: unknown): string => {
  if (typeof value === 'string') return quoteText(value);
  return typeof value === 'object' && value !== null ? 'a list or a record' : String(value);
};
