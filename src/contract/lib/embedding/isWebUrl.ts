const pattern =
  /^(https:\/\/\w|http:\/\/(([\w.-]+\.)?localhost|[\w.-]+\.test|127\.[\d.]+|\[::1])(?=[:/]|$))[^\s\\?#@]*$/i;

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
