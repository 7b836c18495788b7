const pieceLength = 8;

/** What stands in the place of a secret. */
export const masked = '***';

/** The ways in which a text is usually written inside another one. */
const encodings = (text: string): readonly string[] => {
  const bytes = Buffer.from(text);
  return [
    text,
    encodeURIComponent(text.toWellFormed()),
    JSON.stringify(text).slice(1, -1),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    // Base64 of the same bytes differs by where they begin within a group of three.
    ...[0, 1, 2].flatMap((offset) => {
      const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
      return [shifted.toString('base64'), shifted.toString('base64url')];
    }),
  ];
};

const piecesOf = (forms: readonly string[]): Set<string> => {
  const pieces = new Set<string>();
  for (const encoded of forms)
    for (let at = 0; at + pieceLength <= encoded.length; at += 1)
      pieces.add(encoded.slice(at, at + pieceLength));
  return pieces;
};

const maskPieces = (text: string, pieces: ReadonlySet<string>): string => {
  let shown = '';
  let clearFrom = 0;
  let at = 0;
  while (at + pieceLength <= text.length) {
    if (!pieces.has(text.slice(at, at + pieceLength))) {
      at += 1;
      continue;
    }
    shown += text.slice(clearFrom, at) + masked;
    while (at + pieceLength <= text.length && pieces.has(text.slice(at, at + pieceLength))) at += 1;
    at += pieceLength - 1;
    clearFrom = at;
  }
  return shown + text.slice(clearFrom);
};

/**
 * Makes a function that masks the given texts inside another one, in every usual encoding: as a whole, and every piece
 * of eight or more characters.
 */
export const createSecretMask = (secrets: readonly string[]): ((text: string) => string) => {
  const forms = secrets.filter((secret) => secret !== '').flatMap(encodings);
  const pieces = piecesOf(forms);
  return (text) =>
    maskPieces(
      forms.reduce((shown, form) => shown.replaceAll(form, masked), text),
      pieces,
    );
};
