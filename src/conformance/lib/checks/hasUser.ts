import type { CheckContext } from '../createContext.ts';
import { readListing } from '../readers.ts';

const mostPages = 100;

/** Whether the users of the tenant include one with this email address, on any page of the list. */
export const hasUser = async ({ admin }: CheckContext, email: string): Promise<boolean> => {
  const seen = new Set<string>();
  for (let page = 0; page <= mostPages; page += 1) {
    // First without a page: the interface does not say whether pages begin with 0 or 1.
    const { rows } = readListing(await admin('GET', `/v1/users${page === 0 ? '' : `?page=${page}`}`));
    const before = seen.size;
    for (const row of rows) seen.add(String(row['email']).toLowerCase());
    if (seen.has(email.toLowerCase())) return true;
    if (page > 1 && seen.size === before) return false;
  }
  return false;
};
