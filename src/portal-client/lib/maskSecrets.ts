const pieceLength = 8;

/** What stands in the place of a secret. */
export const masked = '***';

/** Lower case, with every character in its place: what a portal shouts is masked too, and hexadecimal digits of both cases. */
const fold = (text: string): string =>
  text.replace(/\p{Lu}/gu, (letter) => {
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

/** Encoded first and then in another case, and the other way round. */
const formsOf = (secret: string): readonly string[] =>
  [secret, secret.toUpperCase(), secret.toLowerCase()].flatMap(encodings).map(fold);

const piecesOf = (forms: readonly string[]): Set<string> => {
  const pieces = new Set<string>();
  for (const encoded of forms)
    for (let at = 0; at + pieceLength <= encoded.length; at += 1)
      pieces.add(encoded.slice(at, at + pieceLength));
  return pieces;
};

const maskPieces = (text: string, pieces: ReadonlySet<string>): string => {
  const folded = fold(text);
  const isPiece = (at: number) => pieces.has(folded.slice(at, at + pieceLength));
  let shown = '';
  let clearFrom = 0;
  let at = 0;
  while (at + pieceLength <= text.length) {
    if (!isPiece(at)) {
      at += 1;
      continue;
    }
    shown += text.slice(clearFrom, at) + masked;
    while (at + pieceLength <= text.length && isPiece(at)) at += 1;
    at += pieceLength - 1;
    clearFrom = at;
  }
  return shown + text.slice(clearFrom);
};

/**
 * Creates a function that masks the given texts inside another one, in every usual encoding and in upper and lower case:
 * every piece of eight or more characters, and texts shorter than that as a whole.
 */
export const createSecretMask = (secrets: readonly string[]): ((text: string) => string) => {
  const forms = secrets.filter((secret) => secret !== '').flatMap(formsOf);
  const pieces = piecesOf(forms);
  const short = forms.filter((form) => form.length < pieceLength);
  return (text) => {
    let shown = maskPieces(text, pieces);
    for (const form of short) {
      for (let at = fold(shown).indexOf(form); at !== -1; at = fold(shown).indexOf(form, at + masked.length))
        shown = shown.slice(0, at) + masked + shown.slice(at + form.length);
    }
    return shown;
  };
};
