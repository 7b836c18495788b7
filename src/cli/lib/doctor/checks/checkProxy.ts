import { isIP } from 'node:net';
import { createPortalClient, isPortalError } from '@vitrine/portal-client';
import { type DoctorCheck, failed, ok, skipped, warning } from '../doctorCheck.ts';
import type { DoctorOptions } from '../doctorOptions.ts';

/** A range of addresses, such as `10.0.0.0/8`, which some programs support and undici does not. */
const rangeIn = ({ no_proxy, NO_PROXY }: DoctorOptions['env']): string | undefined =>
  (no_proxy || NO_PROXY)?.split(/[\s,]+/).find((entry) => /^[\da-f.:]+\/\d+$/i.test(entry));

/** Checks whether requests to the API go through a proxy. */
export const checkProxy: DoctorCheck = {
  id: 'proxy',
  title: 'Proxy',
  run: async ({ env }, evidence) => {
    if (evidence.connection === undefined) return skipped('no connection to check');
    try {
      await using client = createPortalClient({ embedding: evidence.connection, env });
      evidence.proxy = client.embeddedKeys.proxy;
    } catch (error) {
      // Messages of this kind name the variable and never show its value.
      if (isPortalError(error)) return failed(error.message, 'Correct or unset the variable.');
      throw error;
    }
    if (evidence.proxy !== undefined) {
      const seen = `requests go through ${evidence.proxy}`;
      const { hostname } = new URL(evidence.connection.apiBaseUrl);
      const range = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? undefined : rangeIn(env);
      return range === undefined
        ? ok(seen)
        : warning(
            `${seen}, and NO_PROXY contains a range: ${range}`,
            `Ranges are not supported. If ${hostname} needs no proxy, add this exact address to NO_PROXY.`,
          );
    }
    const isSet = ['HTTPS_PROXY', 'HTTP_PROXY'].some((name) =>
      (env[name] || env[name.toLowerCase()])?.trim(),
    );
    return ok(isSet ? 'not used for this host (NO_PROXY or a loopback host)' : 'none: requests go directly');
  },
};
