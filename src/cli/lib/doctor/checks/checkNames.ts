import { lookup } from 'node:dns/promises';
import { type DoctorCheck, failed, ok, skipped } from '../doctorCheck.ts';
import { codeOf } from '../probe.ts';

/** Checks that the hosts of both addresses can be resolved. */
export const checkNames: DoctorCheck = {
  id: 'dns',
  title: 'Host names',
  run: async (_options, evidence) => {
    if (evidence.connection === undefined) return skipped('no connection to check');
    if (evidence.proxy !== undefined) return skipped('resolved by the proxy');
    const { tenantUrl, apiBaseUrl } = evidence.connection;
    const urls = [apiBaseUrl, tenantUrl].map((url) => new URL(url));
    const hosts = [...new Set(urls.map(({ hostname }) => hostname))];
    const unresolved: string[] = [];
    for (const host of hosts) {
      if (host.endsWith('.localhost')) continue;
      try {
        await lookup(host.replace(/^\[|\]$/g, ''));
      } catch (error) {
        for (const url of urls) if (url.hostname === host) evidence.unreachable.add(url.host);
        unresolved.push(`${host} (${codeOf(error)})`);
      }
    }
    return unresolved.length === 0
      ? ok(`${hosts.join(' and ')} ${hosts.length === 1 ? 'resolves' : 'resolve'}`)
      : failed(
          `${unresolved.join(' and ')} cannot be resolved`,
          'Check the spelling of the address and the DNS server of this machine. If this network requires a proxy, set HTTPS_PROXY.',
        );
  },
};
