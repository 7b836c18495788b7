/** An address without credentials, query and fragment; undefined if it may be a key that was pasted instead. */
const withoutSecrets = (text: string): string | undefined => {
  // Credentials first: a password may contain a question mark.
  const shown = text
    .trim()
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1')
    .replace(/[?#].*$/s, '');
  return shown.length > 20 && !/[./]/.test(shown) ? undefined : shown.slice(0, 100);
};

/** What was seen of an address, for a message without secrets: `is "ftp://portal.example"`, or `cannot be used`. */
export const seenAddress = (text: string): string => {
  const shown = withoutSecrets(text);
  return shown === undefined ? 'cannot be used' : `is ${JSON.stringify(shown)}`;
};
