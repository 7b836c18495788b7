import { z } from 'zod';

const holdsCredentials = (address: string): boolean => {
  // What is not an address was refused for that already.
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
};

/** Where a webhook goes. What a caller proves stands in the Authorization header, never in the address. */
export const webhookUrlSchema = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((address) => !holdsCredentials(address), 'must not contain a user name or password');

/** The secret of a webhook task: what a header carries as it is. */
export const webhookSecretSchema = z
  .string()
  .min(1)
  .max(1024)
  .regex(
    /^[\x21-\x7e]+(?: +[\x21-\x7e]+)*$/,
    'must be visible ASCII characters, with spaces only between them',
  );
