/*
 * Secrets in what others send. A text is read as it is, and then with one layer of escapes less each time, so a secret is
 * found however often it was escaped, and by a search for plain text: patterns for every form of a secret can take
 * minutes over one long word.
 */

/** Replacement of a secret. */
export const masked = '***';

/** A text as somebody reads it, and the part of the original that each of its characters stands for. */
interface Reading {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** Replaces what a pattern finds in a reading. */
const rewrite = (reading: Reading, pattern: RegExp, meaningOf: (found: string) => string): Reading => {
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  let copied = 0;
  const copyUntil = (end: number) => {
    text += reading.text.slice(copied, end);
    for (; copied < end; copied += 1) {
      starts.push(reading.starts[copied] ?? 0);
      ends.push(reading.ends[copied] ?? 0);
    }
  };
  for (const { 0: found, index } of reading.text.matchAll(pattern)) {
    copyUntil(index);
    copied += found.length;
    const meaning = meaningOf(found);
    text += meaning;
    for (let unit = 0; unit < meaning.length; unit += 1) {
      starts.push(reading.starts[index] ?? 0);
      ends.push(reading.ends[copied - 1] ?? 0);
    }
  }
  copyUntil(reading.text.length);
  return { text, starts, ends };
};

/** In any case and Unicode form, in Base64 of either alphabet, with spaces that may be line breaks. */
const foldable = /\s+|\p{Cf}+|[A-Z_-]|[^\0-\x7f]/gu;

const foldOne = (found: string): string => {
  if (/\s/.test(found)) return ' ';
  if (/\p{Cf}/u.test(found)) return '';
  return found.normalize('NFKD').toLowerCase().replace('-', '+').replace('_', '/');
};

const fold = (reading: Reading): Reading => rewrite(reading, foldable, foldOne);

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  plus: '+',
  sol: '/',
  equals: '=',
};

/** A character in a URL, in JSON or in HTML. */
const escapes =
  /%(?:[0-7][\da-f]|[c-f][\da-f](?:%[89ab][\da-f]){1,3})|\\(?:u[\da-f]{4}|x[\da-f]{2}|[^])|&(?:#\d+;?|#x[\da-f]+;?|[a-z]{2,6};)/gi;

const unescape = (found: string): string => {
  if (found.startsWith('%')) return Buffer.from(found.replaceAll('%', ''), 'hex').toString();
  if (found.startsWith('&')) {
    const [, hex, digits = hex] = /^&#(?:x([^;]+)|([^;]+))/i.exec(found) ?? [];
    if (digits === undefined) return entities[found.slice(1, -1).toLowerCase()] ?? found;
    const code = Number.parseInt(digits, hex === undefined ? 10 : 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : found;
  }
  if (found.length > 2) return String.fromCharCode(Number.parseInt(found.slice(2), 16));
  return /[nrt]$/.test(found) ? ' ' : found.slice(1);
};

const maxLayers = 8;

/** The readings of a text, each with one layer of escapes less. */
const readingsOf = (text: string): readonly Reading[] => {
  const starts = Array.from({ length: text.length }, (_, index) => index);
  const readings = [fold({ text, starts, ends: starts.map((start) => start + 1) })];
  for (let [last] = readings; last && readings.length < maxLayers; ) {
    const next: Reading = fold(rewrite(last, escapes, unescape));
    if (next.text === last.text) break;
    readings.push(next);
    last = next;
  }
  return readings;
};

/** A text may be folded in the middle of a word. */
const gaps = /[ +]/g;
const withoutGaps = (reading: Reading): Reading => rewrite(reading, gaps, () => '');
/** A shorter text can be a part of other words, if spaces do not count. */
const shortestFolded = 16;

/** A text by which a secret is found in a reading. */
export interface Needle {
  readonly text: string;
  /** In Base64, these are the groups that only hold bytes of the secret: those at both ends also hold other bytes. */
  readonly isBase64: boolean;
}

/** The texts by which {@link maskSecrets} finds a secret. */
export const needlesOf = (secret: string): readonly Needle[] => {
  const readings = readingsOf(secret);
  const plain = [readings[0], readings.at(-1)].flatMap((reading) => [
    reading?.text ?? '',
    // In a form
    reading?.text.replaceAll(' ', '+') ?? '',
  ]);
  const base64 = [0, 1, 2].flatMap((offset) =>
    [secret, secret.normalize('NFC'), secret.normalize('NFD')].map((form) =>
      Buffer.from('\0'.repeat(offset) + form)
        .toString('base64')
        .slice(offset && 4)
        .replace(/.{0,3}=+$/, '')
        .toLowerCase(),
    ),
  );
  return [
    ...[...new Set(plain)].map((text) => ({ text, isBase64: false })),
    ...[...new Set(base64)].map((text) => ({ text, isBase64: true })),
  ].filter(({ text }) => text !== '');
};

type Range = readonly [start: number, end: number];

/** The parts of the original text in which a reading holds a text. */
const find = ({ text, starts, ends }: Reading, { text: wanted, isBase64 }: Needle): readonly Range[] => {
  const ranges: Range[] = [];
  // Without a gap in the original text between them
  const isNext = (at: number) => /[\w+/=]/.test(text.charAt(at)) && ends[at - 1] === starts[at];
  let from = 0;
  for (let first = text.indexOf(wanted); first >= 0; first = text.indexOf(wanted, from)) {
    from = first + 1;
    let last = first + wanted.length - 1;
    if (isBase64) {
      const limit = Math.max(0, first - 4);
      while (first > limit && /[\w+/]/.test(text.charAt(first - 1)) && isNext(first)) first -= 1;
      while (isNext(last + 1)) last += 1;
      from = last + 1;
    }
    ranges.push([starts[first] ?? 0, ends[last] ?? 0]);
  }
  return ranges;
};

/** Whether a reading holds one of these texts. Without their places, this takes a tenth of the time and memory. */
const holdsAny = (text: string, needles: readonly Needle[]): boolean => {
  let reading = text.replaceAll(foldable, foldOne);
  for (let layer = 0; layer < maxLayers; layer += 1) {
    const word = reading.replaceAll(gaps, '');
    if (
      needles.some(
        (needle) => reading.includes(needle.text) || word.includes(needle.text.replaceAll(gaps, '')),
      )
    )
      return true;
    const next = reading.replaceAll(escapes, unescape).replaceAll(foldable, foldOne);
    if (next === reading) break;
    reading = next;
  }
  return false;
};

/** Masks secrets in a text: as they are, and escaped or encoded in the usual ways, also several times. Changes nothing else. */
export const maskSecrets = (text: string, needles: readonly Needle[]): string => {
  if (!holdsAny(text, needles)) return text;
  const readings = readingsOf(text);
  const folded = readings.map(withoutGaps);
  const ranges = needles.flatMap((needle) => {
    const word = { ...needle, text: needle.text.replaceAll(gaps, '') };
    return [
      ...readings.flatMap((reading) => find(reading, needle)),
      ...(word.text.length < shortestFolded ? [] : folded.flatMap((reading) => find(reading, word))),
    ];
  });
  let shown = '';
  let copied = 0;
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    if (start > copied || shown === '') shown += text.slice(copied, start) + masked;
    copied = Math.max(copied, end);
  }
  return shown + text.slice(copied);
};
