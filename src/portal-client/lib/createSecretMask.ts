import { unescapeText } from './unescapeText.ts';

const pieceLength = 8;

/** Replacement of a secret. */
export const masked = '***';

/**
 * Converts to lower case and plain spaces, keeping positions: so that wrapped and upper-case text is masked too, and
 * hexadecimal digits of both cases.
 */
const fold = (text: string): string =>
  text.replace(/\s/g, ' ').replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

/** The usual encodings of a text inside another one. */
const encodings = (text: string): readonly string[] => {
  const bytes = Buffer.from(text);
  return [
    text,
    encodeURIComponent(text.toWellFormed()),
    // Form encoding: a space is a plus.
    new URLSearchParams([['', text]]).toString().slice(1),
    JSON.stringify(text).slice(1, -1),
    bytes.toString('hex'),
    // Base64 of the same bytes depends on their offset within a group of three.
    ...[0, 1, 2].flatMap((offset) => {
      const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
      return [shifted.toString('base64'), shifted.toString('base64url')];
    }),
  ];
};

/** All forms of a secret: encoded before and after a change of case; with composed and decomposed accents. */
const formsOf = (secret: string): readonly string[] => {
  const spellings = new Set([secret, secret.normalize('NFC'), secret.normalize('NFD')]);
  return [...spellings]
    .flatMap((one) => [one, one.toUpperCase(), one.toLowerCase()])
    .flatMap(encodings)
    .map(fold);
};

const piecesOf = (forms: readonly string[]): Set<string> => {
  const pieces = new Set<string>();
  for (const encoded of forms)
    for (let at = 0; at + pieceLength <= encoded.length; at += 1)
      pieces.add(encoded.slice(at, at + pieceLength));
  return pieces;
};

/** A range of a text, end exclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Finds pieces and short secrets in a folded text. */
const findSecrets = (folded: string, pieces: ReadonlySet<string>, short: readonly string[]): Range[] => {
  const found: Range[] = [];
  for (let at = 0; at + pieceLength <= folded.length; at += 1)
    if (pieces.has(folded.slice(at, at + pieceLength))) found.push({ start: at, end: at + pieceLength });
  for (const form of short)
    for (let at = folded.indexOf(form); at !== -1; at = folded.indexOf(form, at + 1))
      found.push({ start: at, end: at + form.length });
  return found;
};

const maskRanges = (text: string, ranges: readonly Range[]): string => {
  let shown = '';
  let readTo = 0;
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    // Merge ranges that overlap or touch.
    if (start > readTo || shown === '') shown += text.slice(readTo, start) + masked;
    readTo = Math.max(readTo, end);
  }
  return shown + text.slice(readTo);
};

/** Maximum layers of escapes: some programs escape twice, such as JSON within HTML. */
const maxLayers = 3;

/**
 * Creates a function that masks the given texts inside another one, in every usual encoding or escape and in any case:
 * every piece of eight or more characters, and shorter texts as a whole.
 */
export const createSecretMask = (secrets: readonly string[]): ((text: string) => string) => {
  const forms = secrets.filter((secret) => secret !== '').flatMap(formsOf);
  const pieces = piecesOf(forms);
  const short = forms.filter((form) => form.length < pieceLength);
  return (text) => {
    const found: Range[] = findSecrets(fold(text), pieces, short);
    let layer = text;
    let toOriginal = (range: Range): Range => range;
    for (let count = 0; count < maxLayers; count += 1) {
      const { text: inner, starts, ends } = unescapeText(layer);
      if (inner === layer) break;
      const outer = toOriginal;
      toOriginal = ({ start, end }) => outer({ start: starts[start] ?? 0, end: ends[end - 1] ?? 0 });
      found.push(...findSecrets(fold(inner), pieces, short).map(toOriginal));
      layer = inner;
    }
    return maskRanges(text, found);
  };
};
