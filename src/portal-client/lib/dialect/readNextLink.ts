/**
 * The query of the `rel="next"` target of a `Link` header (RFC 8288). Only the query is used: path and host stay the
 * client's own, so that a header cannot redirect it.
 */
export const readNextLink = (
  header: string | undefined,
): Readonly<Record<string, string>> | null | undefined => {
  if (header === undefined || header.length > 16_384) return undefined;
  const links = [...header.matchAll(/<([^<>]*)>([^<]*)/g)];
  if (!links.some(([, , parameters = '']) => /;\s*rel\s*=/i.test(parameters))) return undefined;
  for (const [, target = '', parameters = ''] of links) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters);
    const relations = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next') && URL.canParse(target, 'https://relative.invalid'))
      return Object.fromEntries(new URL(target, 'https://relative.invalid').searchParams);
  }
  // A header with other pages but no next one means that this is the last page.
  return /rel\s*=\s*"?[^";,]*\b(?:prev|first|last)\b/i.test(header) ? null : undefined;
};
