import type { PortalTenant } from '@vitrine/portal';
import { createPortalClient } from '@vitrine/portal-client';
import { people } from './people.ts';

/**
 * Whose number is whose. An action names the person who clicked by the portal's own number; the host knows its people
 * by e-mail address, and the portal's user list has both. Whoever is missing there is created before the first click,
 * as a synchronization would: the portal tells nobody the numbers it gives to strangers.
 */
export const readPortalNumbers = async ({
  baseUrl,
  apiKey,
}: PortalTenant): Promise<ReadonlyMap<string, string>> => {
  await using client = createPortalClient({ baseUrl, apiKey });
  const emails = new Map<string, string>();
  for await (const { id, email } of client.users.list()) if (email) emails.set(String(id), email);
  const known = new Set(emails.values());
  for (const { email, name } of people) {
    if (known.has(email)) continue;
    const [firstName = name, ...rest] = name.split(' ');
    const lastName = rest.join(' ') || firstName;
    const user = await client.users.create({ type: 'UserPass', email, firstName, lastName });
    emails.set(String(user.id), email);
  }
  return emails;
};
