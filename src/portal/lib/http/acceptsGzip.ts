/** Weights of codings in Accept-Encoding, 0 to 1, by name; unreadable ones are 0. */
const weightsOf = (header: string): Map<string, number> =>
  new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => /^q\s*=/.test(text))?.replace(/^q\s*=\s*/, '') ?? '1';
      return [name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
    }),
  );

/**
 * Whether to send a body as gzip (RFC 9110, 12.5.3): if it is accepted, by name or by `*`, with at least the weight of
 * identity. If neither is accepted, identity is sent.
 */
export const acceptsGzip = (header: string | undefined): boolean => {
  if (header === undefined) return false;
  const weights = weightsOf(header);
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  // Unlisted, identity is acceptable, but a client that lists gzip prefers it.
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
};
