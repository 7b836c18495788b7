import { maxRlsRoles } from '@vitrine/contract/service';
import type { Viewer } from './viewer.ts';

const maxRoleLength = 50;
const maxUserIdLength = 256;
const control = /\p{Cc}/u;

/** Describes what the portal or its BI platform would reject about a viewer's identity, if anything. Never quotes it. */
export const checkViewer = (
  { userId, roleNames, limiterKey }: Viewer,
  isStrict: boolean,
): string | undefined => {
  if (typeof userId !== 'string' || userId === '')
    return 'viewer() returned a userId that is not a non-empty string';
  if (control.test(userId)) return 'viewer() returned a userId with control characters';
  if (userId.length > maxUserIdLength)
    return `viewer() returned a userId of ${userId.length} characters; the BI platform accepts ${maxUserIdLength}`;
  if (isStrict && userId.includes(' ')) return 'viewer() returned a userId with a space, which RLS rejects';
  if (limiterKey !== undefined && typeof limiterKey !== 'string')
    return 'viewer() returned a limiterKey that is not a string';
  return roleNames === undefined ? undefined : checkRoles(roleNames, isStrict);
};

const misspelling = /^(roles|role[_-]?names?)$/i;

/** Describes a field that was meant to be `roleNames`, own or inherited, of a viewer without it. */
export const findMisspelling = (viewer: object): string | undefined => {
  let holder: object | null = viewer;
  while (holder !== null && holder !== Object.prototype) {
    const names = Object.getOwnPropertyNames(holder);
    const found = names.find((name) => name !== 'roleNames' && misspelling.test(name));
    if (found !== undefined) return `viewer() returned "${found}" without "roleNames"`;
    holder = Object.getPrototypeOf(holder);
  }
  return undefined;
};

const checkRoles = (roleNames: readonly string[], isStrict: boolean): string | undefined => {
  if (!Array.isArray(roleNames)) return 'viewer() returned roleNames that are not an array';
  for (const role of roleNames) {
    if (typeof role !== 'string' || role === '' || control.test(role))
      return 'viewer() returned a role name that is not a plain string';
    if (isStrict && role.length > maxRoleLength)
      return `viewer() returned a role name of ${role.length} characters; RLS accepts ${maxRoleLength}`;
    if (isStrict && role.includes(','))
      return 'viewer() returned a role name with a comma, which RLS rejects';
  }
  if (isStrict && roleNames.length > maxRlsRoles)
    return `viewer() returned ${roleNames.length} role names; RLS accepts ${maxRlsRoles}`;
  return undefined;
};
