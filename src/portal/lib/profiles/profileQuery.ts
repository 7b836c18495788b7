import { maxPageSize } from '@vitrine/contract/service';
import type { Profile } from './profileSchema.ts';

/** Converts the query of a service with other paging to the portal's own. */
export const profileQuery = (profile: Profile, query: URLSearchParams): URLSearchParams => {
  if (profile.firstPage === 1 && profile.paging === 'refuse') return query;
  const changed = new URLSearchParams(query);
  if (profile.paging === 'ignore') {
    changed.delete('page');
    changed.set('pageSize', String(maxPageSize));
    return changed;
  }
  const page = Number(changed.get('page') ?? profile.firstPage);
  if (profile.firstPage === 0 && Number.isSafeInteger(page)) changed.set('page', String(page + 1));
  const pageSize = Number(changed.get('pageSize') ?? 0);
  if (profile.paging === 'cap' && pageSize > maxPageSize) changed.set('pageSize', String(maxPageSize));
  return changed;
};
