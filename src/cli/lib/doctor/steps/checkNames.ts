import { lookup } from 'node:dns/promises';
import { type DoctorStep, failed, ok, skipped } from '../doctorStep.ts';
import { codeOf } from '../look.ts';

/** Whether the hosts of both addresses have an IP address. */
export const checkNames: DoctorStep = {
  id: 'dns',
  title: 'Host names',
  run: async (_wishes, facts) => {
    if (facts.connection === undefined) return skipped('there is no connection to check');
    const { tenantUrl, apiBaseUrl } = facts.connection;
    const hosts = [...new Set([apiBaseUrl, tenantUrl].map((url) => new URL(url).hostname))];
    const lost: string[] = [];
    for (const host of hosts) {
      if (host.endsWith('.localhost')) continue;
      try {
        await lookup(host.replace(/^\[|\]$/g, ''));
      } catch (error) {
        facts.unreachable.add(host);
        lost.push(`${host} (${codeOf(error)})`);
      }
    }
    return lost.length === 0
      ? ok(`${hosts.join(' and ')} ${hosts.length === 1 ? 'resolves' : 'resolve'}`)
      : failed(
          `${lost.join(' and ')} cannot be resolved`,
          'Check the spelling of the address, and that this machine may ask a DNS server that knows it.',
        );
  },
};
