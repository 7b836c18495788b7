/** The length of a fragment of a secret that must not appear. */
const pieceLength = 8;

/** The encodings of a secret: plain, URL-encoded, in JSON and in base64 at each of its three offsets. */
const disguisesOf = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      // The first group contains the bytes before the secret, and the last may contain those after it.
      .slice(offset === 0 ? 0 : 4)
      .replace(/.{0,3}=+$/, ''),
  );
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
};

/** Finds fragments of secrets in texts, in time proportional to the text. */
export const createCanaryScanner = (...secrets: readonly string[]) => {
  const pieces = new Set<string>();
  const add = (secret: string) => {
    for (const text of disguisesOf(secret))
      for (let at = 0; at + pieceLength <= text.length; at += 1) pieces.add(text.slice(at, at + pieceLength));
  };
  for (const secret of secrets) add(secret);
  return {
    add,
    /** The first fragment of eight characters of any secret, in any common encoding. */
    find: (text: string): string | undefined => {
      for (let at = 0; at + pieceLength <= text.length; at += 1) {
        const piece = text.slice(at, at + pieceLength);
        if (pieces.has(piece)) return piece;
      }
      return undefined;
    },
  };
};

/** Finds a fragment of eight or more characters of a secret in a text, in any common encoding, and returns it. */
export const findCanary = (text: string, ...secrets: readonly string[]): string | undefined =>
  createCanaryScanner(...secrets).find(text);
