/** Weight of a coding in Accept-Encoding, 0 to 1, by its name; one that cannot be read counts as 0. */
const weightsOf = (header: string): Map<string, number> =>
  new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => /^q\s*=/.test(text))?.replace(/^q\s*=\s*/, '') ?? '1';
      return [name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
    }),
  );

/**
 * Whether a body goes out as gzip (RFC 9110, 12.5.3): it is accepted, by its name or by `*`, and not less than the body
 * as it is. Who accepts neither gets the body as it is.
 */
export const acceptsGzip = (header: string | undefined): boolean => {
  if (header === undefined) return false;
  const weights = weightsOf(header);
  const gzip = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  // Not named, the body as it is may be sent, but whoever names gzip wants that.
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
};
