/** Replacement of a secret. */
export const masked = '***';

/** Base64 of the same bytes depends on their place in a group of three; the edges also hold the bytes next to them. */
const base64Forms = (secret: string): readonly string[] =>
  [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4)
      .replace(/.{0,3}=+$/, ''),
  );

/** The forms in which a secret appears in other text: as it is, in JSON, in a URL, and in Base64. */
const formsOf = (secret: string): readonly string[] => {
  const base64 = base64Forms(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
};

/** Creates a function that masks the given texts inside another one, in any case. */
export const createSecretMask = (secrets: readonly string[]): ((text: string) => string) => {
  const forms = secrets
    .filter((secret) => secret !== '')
    .flatMap(formsOf)
    .filter((form) => form !== '')
    // A secret may begin with another one.
    .toSorted((one, other) => other.length - one.length)
    .map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  if (forms.length === 0) return (text) => text;
  const pattern = new RegExp(`(?:${forms.join('|')})+`, 'gi');
  return (text) => text.replaceAll(pattern, masked);
};
