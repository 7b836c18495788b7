import { lookup } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';
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

const privateRanges = new BlockList();
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  privateRanges.addSubnet(network, bits, 'ipv4');
privateRanges.addSubnet('fc00::', 7, 'ipv6');
privateRanges.addSubnet('fe80::', 10, 'ipv6');

/** The private address of a host; undefined for a public one, one of this machine, or one that cannot be resolved. */
const privateAddressOf = async (hostname: string): Promise<string | undefined> => {
  const found = await lookup(hostname.replace(/^\[|\]$/g, '')).catch(() => undefined);
  if (found === undefined) return undefined;
  const { address } = found;
  return privateRanges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ? address : undefined;
};

/** Checks that the report pages of a public application are not at a private address: browsers block such frames. */
export const checkPrivateAddress: DoctorCheck = {
  id: 'private_address',
  title: 'Private address',
  run: async ({ origin }, { connection }) => {
    if (connection === undefined) return skipped('no connection to check');
    if (origin === undefined) return skipped('no application given (--origin)');
    const [{ hostname }, app] = [new URL(connection.tenantUrl), new URL(origin)];
    const address = await privateAddressOf(hostname);
    if (address === undefined) return ok(`${hostname} has none`);
    const isPublic = !/(?:^|\.)localhost$|^127\.|^\[::1\]$/.test(app.hostname);
    return !isPublic || (await privateAddressOf(app.hostname)) !== undefined
      ? ok(`${hostname} has ${address}, and ${app.hostname} is not public either`)
      : failed(
          `${hostname} has the private address ${address}, and ${app.hostname} is public`,
          'Browsers block or ask before a public page opens a frame at a private address, and viewers outside this network cannot reach it. Give the report pages a public address, or show the application only inside the network.',
        );
  },
};
