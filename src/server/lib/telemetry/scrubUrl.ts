/**
 * Takes query, fragment and credentials off a URL, for span processors and session recorders of the host: HTTP
 * instrumentations record `url.full`, and the address of a report holds its key. Text that is not a URL loses what follows `?` or `#`.
 */
export const scrubUrl = (url: string): string => {
  const bare = url.replace(/[?#][\s\S]*$/, '');
  return bare.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
};
