const pattern =
  /^(https:\/\/\w|http:\/\/(([\w.-]+\.)?localhost|[\w.-]+\.test|127\.[\d.]+|\[::1])(?=[:/]|$))[^\s\\?#@]*$/i;

/**
 * Whether a text can be the address of a portal: {@link checkWebUrl} without the reason, for browsers, where bytes count.
 * It is the stricter of the two: whatever passes here passes there.
 */
export const isWebUrl = (text: unknown): text is string =>
  typeof text === 'string' && pattern.test(text) && URL.canParse(text);
