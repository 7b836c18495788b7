/**
 * Says why a text cannot be the address of a portal, or nothing when it can.
 * Allowed: absolute `https:` addresses; `http:` on loopback hosts only (`localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`).
 * Refused: other schemes, credentials, query, fragment. The reason quotes the scheme or host at most, never the whole text.
 */
export const checkWebUrl = (text: unknown): string | undefined => {
  if (typeof text !== 'string' || text.trim() === '') return 'it is missing or empty';
  if (!URL.canParse(text)) return 'it is not an absolute URL';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `its scheme is "${url.protocol}"`;
  if (url.username !== '' || url.password !== '') return 'it carries a user name or password';
  if (url.search !== '' || text.includes('?')) return 'it carries a query';
  if (url.hash !== '' || text.includes('#')) return 'it carries a fragment';
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
    return `it uses http on the host "${url.hostname}", which is not a loopback host`;
  return undefined;
};

const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(\.\d{1,3}){3}$/.test(hostname);
