import { BlockList, isIP } from 'node:net';
import { VitrineOptionsError } from '@vitrine/server';

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** IPv4 inside IPv6 (`::ffff:192.0.2.1`) is what a dual-stack socket reports. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Builds the check of the sender's address against addresses and ranges such as `192.0.2.0/24`. No list allows everybody. */
export const createSourceCheck = (
  allowed: readonly string[] | undefined,
): ((address: string | undefined) => boolean) => {
  if (!allowed) return () => true;
  const list = new BlockList();
  for (const entry of allowed) {
    const [given = '', prefix, ...others] = entry.split('/');
    const address = plain(given);
    const isRange = prefix !== undefined;
    const isPrefix = /^\d{1,3}$/.test(prefix ?? '') && Number(prefix) <= (isIP(address) === 6 ? 128 : 32);
    if (isIP(address) === 0 || (isRange && !isPrefix) || others.length > 0)
      throw new VitrineOptionsError(
        'invalid_allowed_sources',
        `"${entry}" in allowedSources is neither an IP address nor a range such as "192.0.2.0/24".`,
      );
    if (isRange) list.addSubnet(address, Number(prefix), family(address));
    else list.addAddress(address, family(address));
  }
  return function isAllowedSource(address) {
    const known = plain(address ?? '');
    return isIP(known) !== 0 && list.check(known, family(known));
  };
};
