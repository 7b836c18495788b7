import { isUtf8 } from 'node:buffer';

/** An unescaped text, with the original position of each character. */
export interface Unescaped {
  readonly text: string;
  /** Start of the character in the original. */
  readonly starts: readonly number[];
  /** End of the character in the original, exclusive. */
  readonly ends: readonly number[];
}

// HTML entities, the escapes of JSON and JavaScript, and percent encoding.
const escapes =
  /&(?:(?<name>amp|lt|gt|quot|apos|nbsp|plus);|#(?<decimal>\d{1,7});?|#x(?<hex>[\da-f]{1,6});?)|\\(?:u(?<unit>[\da-f]{4})|u\{(?<point>[\da-f]{1,6})\}|x(?<byte>[\da-f]{2})|(?<same>["'\\/]))|(?<percent>(?:%[\da-f]{2})+)/gi;

const names: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  plus: '+',
};

const fromPoint = (digits: string, base: 10 | 16): string | undefined => {
  const point = Number.parseInt(digits, base);
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
};

const fromPercent = (match: string): string => {
  const bytes = Buffer.from(match.replaceAll('%', ''), 'hex');
  // Text that is not UTF-8 is read as Latin-1, which old servers use.
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
};

const decode = (match: string, groups: Readonly<Record<string, string | undefined>>): string | undefined => {
  const { name, decimal, same, percent } = groups;
  const hex = groups['hex'] ?? groups['unit'] ?? groups['point'] ?? groups['byte'];
  if (name !== undefined) return names[name.toLowerCase()];
  if (decimal !== undefined) return fromPoint(decimal, 10);
  if (hex !== undefined) return fromPoint(hex, 16);
  return percent === undefined ? same : fromPercent(match);
};

/** Removes one layer of escapes from a text. */
export const unescapeText = (given: string): Unescaped => {
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  const add = (decoded: string, start: number, end: number) => {
    text += decoded;
    for (let unit = 0; unit < decoded.length; unit += 1) {
      starts.push(start);
      ends.push(end);
    }
  };
  const addPlain = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) add(given.charAt(at), at, at + 1);
  };
  let readTo = 0;
  for (const match of given.matchAll(escapes)) {
    const decoded = decode(match[0], match.groups ?? {});
    if (decoded === undefined) continue;
    addPlain(readTo, match.index);
    readTo = match.index + match[0].length;
    add(decoded, match.index, readTo);
  }
  addPlain(readTo, given.length);
  return { text, starts, ends };
};
