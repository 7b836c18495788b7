/**
 * The form under which two spellings of one e-mail address are the same: without outer spaces, composed (NFC), in lower
 * case, the domain in its ASCII form. `Zoë@Bücher.example` and `zoë@xn--bcher-kva.example` share a key.
 */
export const emailKey = (email: string): string => {
  const text = lower(email.trim());
  const at = text.lastIndexOf('@') + 1;
  return at === 0 ? text : text.slice(0, at) + asciiDomain(text.slice(at));
};

// Lower case may decompose (İ) and composing may follow: both orders must end in the same text.
const lower = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

/** URLs take domains in their ASCII form; what is not a domain stays as it is. */
const asciiDomain = (domain: string): string =>
  /^[\0-\x7f]*$|[/?#:\\]/.test(domain) || !URL.canParse(`http://${domain}`)
    ? domain
    : new URL(`http://${domain}`).hostname;
