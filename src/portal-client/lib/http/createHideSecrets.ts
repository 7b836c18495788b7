import { createSecretMask } from '../maskSecrets.ts';

/** Longest piece of a service's own words that an error repeats. */
const maxLength = 500;

const unprintable = /[\p{Cc}\u2028\u2029]+/gu;

/**
 * Makes a function that makes words of the service fit to be shown: secrets and their pieces become `***` in every usual
 * encoding, queries of addresses are cut, control characters become a space, and the text ends after 500 characters.
 */
export const createHideSecrets = (secrets: readonly string[]): ((text: string) => string) => {
  const mask = createSecretMask(secrets);
  return (text) =>
    // Cut well behind the end, so that the patterns stay fast and no half of a secret is left before it.
    mask(text.slice(0, 4 * maxLength))
      .replaceAll(/([a-z][a-z0-9+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, '$1')
      .replaceAll(unprintable, ' ')
      .trim()
      .slice(0, maxLength);
};
