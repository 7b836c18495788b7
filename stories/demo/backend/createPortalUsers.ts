import type { PortalTenant } from '@vitrine/portal';
import { createPortalClient } from '@vitrine/portal-client';
import { people } from './people.ts';

/**
 * Creates a portal user for everybody who may sign in, as a synchronization would. An action names the person who clicked
 * by the portal's own number, and only for its users does the portal tell whose e-mail address that is.
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
