/** Longest piece of a service's own words that an error repeats. */
const maxLength = 500;

const unprintable = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Makes words of the service fit to be shown: secrets in their raw, percent-encoded and base64 forms become `***`,
 * queries of addresses are cut, control characters become a space, and the text ends after 500 characters.
 */
export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret !== '')
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret.toWellFormed()),
      Buffer.from(secret).toString('base64'),
    ])
    .reduce((shown, form) => shown.replaceAll(form, '***'), text)
    // Cut after the secrets are gone, so that no half of one is left, and before the patterns, so that they stay fast.
    .slice(0, 4 * maxLength)
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, '$1')
    .replaceAll(unprintable, ' ')
    .trim()
    .slice(0, maxLength);
