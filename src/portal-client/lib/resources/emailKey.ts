import { domainToASCII } from 'node:url';

/**
 * The form under which two spellings of one e-mail address are the same: without outer spaces, composed (NFC), in lower
 * case, the domain in its ASCII form. `Zoë@Bücher.example` and `zoë@xn--bcher-kva.example` share a key.
 */
export const emailKey = (email: string): string => {
  const text = lower(email.trim());
  const at = text.lastIndexOf('@');
  if (at < 0) return text;
  const domain = text.slice(at + 1);
  return `${text.slice(0, at)}@${domainToASCII(domain) || domain}`;
};

// Lower case may decompose (İ) and composing may follow: both orders must end in the same text.
const lower = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

/** Whether two addresses are one; a missing address is like no other. */
export const sameEmail = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && emailKey(one) === emailKey(other);
