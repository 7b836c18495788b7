import { unescapeText } from './unescapeText.ts';

const pieceLength = 8;

/** What stands in the place of a secret. */
export const masked = '***';

/**
 * Lower case and plain spaces, with every character in its place: what a portal shouts or wraps is masked too, and
 * hexadecimal digits of both cases.
 */
const fold = (text: string): string =>
  text.replace(/\s/g, ' ').replace(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  });

/** The ways in which a text is usually written inside another one. */
const encodings = (text: string): readonly string[] => {
  const bytes = Buffer.from(text);
  return [
    text,
    encodeURIComponent(text.toWellFormed()),
    // As the value of a form: a space is a plus.
    new URLSearchParams([['', text]]).toString().slice(1),
    JSON.stringify(text).slice(1, -1),
    bytes.toString('hex'),
    // Base64 of the same bytes differs by where they begin within a group of three.
    ...[0, 1, 2].flatMap((offset) => {
      const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
      return [shifted.toString('base64'), shifted.toString('base64url')];
    }),
  ];
};

/** Encoded first and then in another case, and the other way round; accents apart from their letters, and with them. */
const formsOf = (secret: string): readonly string[] => {
  const spelt = new Set([secret, secret.normalize('NFC'), secret.normalize('NFD')]);
  return [...spelt]
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

/** A stretch of a text, its end exclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where pieces or short secrets stand in a folded text. */
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
    // Ranges that overlap or touch are one.
    if (start > readTo || shown === '') shown += text.slice(readTo, start) + masked;
    readTo = Math.max(readTo, end);
  }
  return shown + text.slice(readTo);
};

/** Some programs escape what is escaped already, such as JSON within HTML. */
const maxLayers = 3;

/**
 * Creates a function that masks the given texts inside another one, in every usual encoding or escape and in upper and
 * lower case: every piece of eight or more characters, and texts shorter than that as a whole.
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
