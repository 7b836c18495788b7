import type { Viewer } from './viewer.ts';

const maxRoles = 50;
const maxRoleLength = 50;
const maxUserIdLength = 256;
const control = /\p{Cc}/u;

/** Says what the portal or its BI platform would refuse about a viewer's identity, or nothing. Never quotes it. */
export const checkViewer = ({ userId, roleNames }: Viewer, isStrict: boolean): string | undefined => {
  if (typeof userId !== 'string' || userId === '') return 'viewer() gave a userId that is not a text';
  if (control.test(userId)) return 'viewer() gave a userId with control characters';
  if (userId.length > maxUserIdLength)
    return `viewer() gave a userId of ${userId.length} characters; the BI platform takes ${maxUserIdLength}`;
  if (isStrict && userId.includes(' ')) return 'viewer() gave a userId with a space, which RLS refuses';
  return roleNames === undefined ? undefined : checkRoles(roleNames, isStrict);
};

const checkRoles = (roleNames: readonly string[], isStrict: boolean): string | undefined => {
  if (!Array.isArray(roleNames)) return 'viewer() gave roleNames that are no array';
  for (const role of roleNames) {
    if (typeof role !== 'string' || role === '' || control.test(role))
      return 'viewer() gave a role name that is not a plain text';
    if (isStrict && role.length > maxRoleLength)
      return `viewer() gave a role name of ${role.length} characters; RLS takes ${maxRoleLength}`;
    if (isStrict && role.includes(',')) return 'viewer() gave a role name with a comma, which RLS refuses';
  }
  if (isStrict && roleNames.length > maxRoles)
    return `viewer() gave ${roleNames.length} role names; RLS takes ${maxRoles}`;
  return undefined;
};
