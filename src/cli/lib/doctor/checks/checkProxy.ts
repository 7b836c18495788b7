import { createKeyMinter, isPortalError } from '@vitrine/portal-client';
import { type DoctorCheck, failed, ok, skipped } from '../doctorCheck.ts';

/** Whether requests to the API go through a proxy. */
export const checkProxy: DoctorCheck = {
  id: 'proxy',
  title: 'Proxy',
  run: async ({ env }, evidence) => {
    if (evidence.connection === undefined) return skipped('no connection to check');
    try {
      const minter = createKeyMinter(evidence.connection, { env });
      await minter.close();
      evidence.proxy = minter.proxy;
    } catch (error) {
      // Messages of this kind name the variable and never show its value.
      if (isPortalError(error)) return failed(error.message, 'Correct or unset the variable.');
      throw error;
    }
    if (evidence.proxy !== undefined) return ok(`requests go through ${evidence.proxy}`);
    const isSet = ['HTTPS_PROXY', 'HTTP_PROXY'].some((name) => env[name] || env[name.toLowerCase()]);
    return ok(isSet ? 'not used for this host: NO_PROXY, or a loopback host' : 'none: requests go directly');
  },
};
