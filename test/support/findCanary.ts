/** The length of a fragment of a secret that must not appear. */
export const pieceLength = 8;

/** The encodings of a secret: plain, URL-encoded, in JSON and in base64 at each of its three offsets. */
export const disguisesOf = (secret: string): readonly string[] => {
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

const pieces = new Map<string, readonly string[]>();

const piecesOf = (secret: string): readonly string[] => {
  const known = pieces.get(secret);
  if (known !== undefined) return known;
  const all = new Set<string>();
  for (const text of disguisesOf(secret))
    for (let at = 0; at + pieceLength <= text.length; at += 1) all.add(text.slice(at, at + pieceLength));
  const list = [...all];
  pieces.set(secret, list);
  return list;
};

/** Finds a fragment of eight or more characters of a secret in a text, in any common encoding, and returns it. */
export const findCanary = (text: string, ...secrets: readonly string[]): string | undefined =>
  secrets.flatMap((secret) => piecesOf(secret)).find((piece) => text.includes(piece));
