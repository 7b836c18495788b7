import type { Secret } from '../secret.ts';

const pieceLength = 8;
const maxLength = 300;
const shown = '***';

/** The ways in which a text is usually written inside another one. */
const encodings = (text: string): readonly string[] => {
  const bytes = Buffer.from(text);
  return [
    text,
    encodeURIComponent(text),
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

const piecesOf = (secrets: readonly Secret[]): Set<string> => {
  const pieces = new Set<string>();
  for (const encoded of secrets.flatMap((secret) => encodings(secret.reveal())))
    for (let at = 0; at + pieceLength <= encoded.length; at += 1)
      pieces.add(encoded.slice(at, at + pieceLength));
  return pieces;
};

const maskPieces = (text: string, pieces: ReadonlySet<string>): string => {
  let masked = '';
  let clearFrom = 0;
  let at = 0;
  while (at + pieceLength <= text.length) {
    if (!pieces.has(text.slice(at, at + pieceLength))) {
      at += 1;
      continue;
    }
    masked += text.slice(clearFrom, at) + shown;
    while (at + pieceLength <= text.length && pieces.has(text.slice(at, at + pieceLength))) at += 1;
    at += pieceLength - 1;
    clearFrom = at;
  }
  return masked + text.slice(clearFrom);
};

// Long runs without a space are tokens more often than words: an encrypted key that a portal echoes, say.
const tokens = /[A-Za-z0-9+/=_%-]{32,}/g;
const queries = /\?[^\s"'<>]+/g;
const controls = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Makes a function that takes a foreign text (a portal's error message, say) to one that may be logged: no piece of
 * eight or more characters of the given secrets in any usual encoding, no URL query, no token, one line, at most 300 characters.
 */
export const createRedactor = (secrets: readonly Secret[]): ((text: string) => string) => {
  let pieces: Set<string> | undefined;
  return (text) => {
    pieces ??= piecesOf(secrets);
    return maskPieces(text.slice(0, 4 * maxLength), pieces)
      .replace(queries, `?${shown}`)
      .replace(tokens, shown)
      .replace(controls, ' ')
      .slice(0, maxLength);
  };
};
