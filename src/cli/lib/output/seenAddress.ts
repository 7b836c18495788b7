/**
 * What was seen of an address, for a message without secrets: `is "https://portal.example"`, or `cannot be used` for a
 * text that may be a key that was pasted instead.
 */
export const seenAddress = (text: string): string => {
  const url = /^\s*(?:https?|ftp):\/\//i.test(text) ? URL.parse(text) : null;
  return url === null
    ? 'cannot be used'
    : `is ${JSON.stringify(`${url.protocol}//${url.host}${url.pathname}`.replace(/\/+$/, '').slice(0, 100))}`;
};
