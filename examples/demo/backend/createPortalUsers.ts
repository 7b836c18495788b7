import type { PortalTenant } from '@vitrine/portal';
import { createPortalClient } from '@vitrine/portal-client';
import { people } from './people.ts';

/**
 * Creates a portal user for every person who may sign in, like a synchronization. An action contains the portal's
 * number of the person who clicked, and the portal only knows the email addresses of its own users.
 */
export const createPortalUsers = async ({ baseUrl, apiKey }: PortalTenant): Promise<void> => {
  await using client = createPortalClient({ baseUrl, apiKey });
  const known = new Set<string>();
  for await (const { email } of client.users.list()) if (email) known.add(email);
  for (const { email, name } of people) {
    if (known.has(email)) continue;
    const [firstName = name, ...rest] = name.split(' ');
    const lastName = rest.join(' ') || firstName;
    await client.users.create({ type: 'UserPass', email, firstName, lastName });
  }
};
