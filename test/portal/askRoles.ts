import type { Portal } from '@vitrine/portal';

/** Requests the roles that many times, a hundred at once, to fill the request log. */
export const askRoles = async (portal: Portal, times: number): Promise<void> => {
  for (let count = 0; count < times; count += 100)
    await Promise.all(
      Array.from({ length: 100 }, async () => (await fetch(`${portal.url}/v1/roles`)).arrayBuffer()),
    );
};
