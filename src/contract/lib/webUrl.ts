const pattern =
  /^(https:\/\/\w|http:\/\/(([\w.-]+\.)?localhost|[\w.-]+\.test|127\.[\d.]+|\[::1])(?=[:/]|$))[^\s\\?#@]*$/i;

/**
 * Returns why a text cannot be the URL of a portal, or undefined when it can. Allowed: absolute `https:` URLs; `http:`
 * only on development hosts: loopback (`localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`), and `*.test`, a domain that
 * nobody can register (RFC 6761 6.2). Rejected: other schemes, credentials, query, fragment. The reason quotes the
 * host at most.
 */
export const checkWebUrl = (text: unknown): string | undefined => {
  if (typeof text !== 'string') return 'it is not a text';
  if (!URL.canParse(text)) return 'it is not an absolute URL';
  const url = new URL(text);
  // Not named: what stands before a colon may be a piece of a secret.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it is not an https address';
  if (url.username !== '' || url.password !== '') return 'it contains a user name or password';
  if (url.search !== '' || text.includes('?')) return 'it contains a query';
  if (url.hash !== '' || text.includes('#')) return 'it contains a fragment';
  if (url.protocol === 'http:' && !pattern.test(url.href))
    return `it uses http on the host "${url.hostname}", which is neither a loopback host nor under .test`;
  return undefined;
};

/**
 * Whether a text can be the URL of a portal: {@link checkWebUrl} without the reason, smaller, for browsers. It is the
 * stricter of the two: a URL that passes here also passes there.
 */
export const isWebUrl = (text: unknown): text is string => {
  if (typeof text !== 'string' || !pattern.test(text)) return false;
  try {
    new URL(text); // in the jsdom of Jest 29, URL.canParse() is missing
    return true;
  } catch {
    return false;
  }
};
