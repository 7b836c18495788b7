import { createPortal, type Portal, type PortalOptions } from '@vitrine/portal';

interface SharedPortal {
  readonly portal: Promise<Portal>;
  users: number;
}

/**
 * Portals in use. Vite restarts by starting the new server before it closes the old one: both use one portal, so a
 * fixed port stays available and open pages keep their keys.
 */
const portals = new Map<string, SharedPortal>();

/** A portal, and the function that a closing server releases it with. */
export interface PortalLease {
  readonly portal: Portal;
  readonly release: () => Promise<void>;
}

/** Starts a portal, or shares a running one of the same app with the same options. */
export const sharePortal = async (root: string, options: PortalOptions): Promise<PortalLease> => {
  const key = JSON.stringify([root, options]);
  const shared = portals.get(key) ?? { portal: createPortal(options), users: 0 };
  portals.set(key, shared);
  shared.users += 1;
  const leave = (): boolean => {
    shared.users -= 1;
    if (shared.users > 0) return false;
    portals.delete(key);
    return true;
  };
  try {
    const portal = await shared.portal;
    return {
      portal,
      release: async () => {
        if (leave()) await portal.close();
      },
    };
  } catch (error) {
    leave();
    const reason = isTaken(error) ? takenMessage(options.port) : String(error);
    throw new Error(`@vitrine/vite: the portal did not start: ${reason}`, { cause: error });
  }
};

const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

const takenMessage = (port: number | undefined): string =>
  `port ${port} is in use. Set another port with vitrine({ port }), or omit it to use a free port.`;
