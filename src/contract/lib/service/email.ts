/**
 * The normal form of an email address: trimmed, composed (NFC), in lower case, with the domain in ASCII.
 * `Zoë@Bücher.example` and `zoë@xn--bcher-kva.example` have the same one.
 */
export const emailKey = (email: string): string => {
  const text = lower(email.trim());
  const at = text.lastIndexOf('@') + 1;
  return at === 0 ? text : text.slice(0, at) + asciiDomain(text.slice(at));
};

// Lower-casing may decompose a character (İ), so compose before and after it.
const lower = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

/** A URL gives a domain in its ASCII form; other text stays unchanged. */
const asciiDomain = (domain: string): string =>
  /^[\0-\x7f]*$|[/?#:\\]/.test(domain) || !URL.canParse(`http://${domain}`)
    ? domain
    : new URL(`http://${domain}`).hostname;

const emailForm = /^[^\s@\p{Cc}\p{Cf}]+@[^\s@\p{Cc}\p{Cf}]+$/u;

/**
 * Whether a text is an email address: one @ with text on both sides, no space, and no control or invisible character,
 * which would make one address look like another. Internationalized addresses and single-label domains pass. It does
 * not check whether mail arrives.
 */
export const isEmailAddress = (text: string): boolean => emailForm.test(text);
