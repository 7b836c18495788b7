import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { quoteText } from '@vitrine/contract';
import { configError } from '../errors.ts';

/** Text from a file: whole, or in chunks of text or bytes. */
export type TextSource = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/**
 * Reads the chunks of a source as text. Bytes that are not in the encoding are an error: otherwise broken names would be
 * written to the tenant.
 */
export async function* readText(
  source: TextSource,
  encoding?: string,
): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoder | undefined;
  const given = encoding === undefined ? undefined : decoderOf(encoding);
  // Text in another encoding is hardly ever valid UTF-8, unless it is ASCII.
  let utf8 = given?.encoding.startsWith('utf') === false ? decoderOf('utf-8') : undefined;
  let isAscii = true;
  for await (const piece of typeof source === 'string' || source instanceof Uint8Array ? [source] : source) {
    if (typeof piece === 'string') {
      yield piece.replace(/^\uFEFF/, '');
      continue;
    }
    if (piece.length === 0) continue;
    if (decoder === undefined && workbookMark.test(Buffer.from(piece.subarray(0, 4)).toString('hex')))
      throw configError(
        'source_workbook',
        'This is an Excel workbook. Save it as "CSV UTF-8", and plan again.',
      );
    decoder ??= given ?? decoderOf(encodingOf(piece));
    isAscii &&= piece.every((byte) => byte < 0x80);
    try {
      utf8?.decode(piece, { stream: true });
    } catch {
      utf8 = undefined;
    }
    yield decode(decoder, piece);
  }
  if (decoder !== undefined) yield decode(decoder, undefined);
  if (utf8 !== undefined && !isAscii)
    throw configError('source_encoding', `The source is UTF-8 text, not ${encoding}. Leave out {encoding}.`);
}

const decoderOf = (encoding: string): TextDecoder => {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw configError(
      'bad_option_encoding',
      `{encoding} is ${quoteText(encoding)}, which is no encoding. Use a name such as shift_jis or windows-1252.`,
    );
  }
};

/** The first bytes of a ZIP file or of an old Office document, in hexadecimal. */
const workbookMark = /^(?:504b0304|d0cf11e0)/;

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
const encodingOf = (start: Uint8Array): string => {
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
    `The source is not ${decoder.encoding.toUpperCase()} text. Save it as UTF-8 ("CSV UTF-8" in a spreadsheet), or name its encoding with {encoding}, such as windows-1252 in western Europe and shift_jis in Japan. Files of a Windows console (CP850) must be saved again. Compare names with accents in the plan.`,
  );
};

/** Names of a source in a message: quoted, on one line, shortened, at most 20. */
export const nameList = (names: readonly string[]): string => {
  const shown = names.slice(0, 20).map((name) => JSON.stringify(oneLine(name).slice(0, 60)));
  return [...shown, ...(names.length > 20 ? [`and ${names.length - 20} more`] : [])].join(', ');
};

/** `1 row`, `2 rows`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

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
