/**
 * Removes query, fragment and credentials from a URL, for the host's span processors and session replay: HTTP
 * instrumentation records `url.full`, and the address of a report contains its key. In text that is not a URL, everything
 * after `?` or `#` is removed.
 */
export const scrubUrl = (url: string): string => {
  const bare = url.replace(/[?#][\s\S]*$/, '');
  return bare.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
};
