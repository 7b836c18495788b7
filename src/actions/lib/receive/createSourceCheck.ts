import { BlockList, isIP } from 'node:net';
import { fail } from '@vitrine/server/internal';

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** A dual-stack socket reports IPv4 inside IPv6 (`::ffff:192.0.2.1`). */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/**
 * Creates the check of the sender's address against addresses and ranges such as `192.0.2.0/24`. Without a list, all
 * are allowed.
 */
export const createSourceCheck = (allowed: readonly string[] | undefined) => {
  if (!allowed) return () => true;
  const list = new BlockList();
  for (const entry of allowed) {
    const [given = '', prefix, ...others] = entry.split('/');
    const address = plain(given);
    const bits = isIP(address) === 6 ? 128 : 32;
    const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    if (isIP(address) === 0 || !isPrefix || others.length > 0)
      fail(
        'invalid_allowed_sources',
        `"${entry}" in allowedSources is neither an IP address nor a range such as "192.0.2.0/24".`,
      );
    list.addSubnet(address, Number(prefix ?? bits), family(address));
  }
  return function isAllowedSource(address: string | undefined): boolean {
    const known = plain(address ?? '');
    return isIP(known) !== 0 && list.check(known, family(known));
  };
};
