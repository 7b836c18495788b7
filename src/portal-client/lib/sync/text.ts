import { TextDecoder } from 'node:util';
import { quoteText } from '@vitrine/contract';
import { configError } from '../errors.ts';

/** Text from a file: whole, or in chunks of text or bytes. */
export type TextSource = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** The whole text of a source. Bytes that are not in the encoding are an error: otherwise broken names would be written. */
export const readText = async (source: TextSource, given?: string): Promise<string> => {
  const isWhole = typeof source === 'string' || source instanceof Uint8Array;
  const pieces = isWhole ? [source] : await Array.fromAsync(source);
  // A text may be cut inside a character.
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('').replace(/^\uFEFF/, '');
  const bytes = Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
  const encoding = given ?? encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw configError(
      'source_encoding',
      `The source cannot be read as ${quoteText(encoding)}. Save it as UTF-8 ("CSV UTF-8" in a spreadsheet, also for an Excel workbook), or name its encoding with {encoding}, such as windows-1252 in western Europe and shift_jis in Japan.`,
    );
  }
};

/** UTF-16 without a mark has a zero in one half of most characters of a header. */
const encodingOf = (start: Uint8Array): string => {
  if ((start[0] === 0xff && start[1] === 0xfe) || (start[0] !== 0 && start[1] === 0)) return 'utf-16le';
  return (start[0] === 0xfe && start[1] === 0xff) || start[0] === 0 ? 'utf-16be' : 'utf-8';
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
