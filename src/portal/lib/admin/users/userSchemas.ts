import { userTypes } from '@vitrine/contract';
import { z } from 'zod';
import { chosen, stated } from '../../openapi/provenance.ts';
import { text } from '../text.ts';

const type = stated('2.1', z.enum(userTypes), 'Identity kind.');
const email = stated(
  '2.1',
  z.email('must be an e-mail address').max(256, 'must be at most 256 characters'),
  'E-mail address, unique in the tenant without regard to case.',
);
const firstName = stated('2.1', text(64), 'Given name.');
const lastName = stated('2.1', text(64), 'Family name.');
const roles = z.array(text(128)).max(200);
const organizationUnits = z.array(text(32)).max(200);

/** Body of `POST /v1/users`. */
export const createUserSchema = z.strictObject({
  type,
  email,
  firstName,
  lastName,
  roles: stated('2.1', roles.default([]), 'Role names.'),
  organizationUnits: stated('2.1', organizationUnits.default([]), 'Identifiers of OUs.'),
});

/** Body of `PATCH /v1/users/{userId}`: a merge patch (RFC 7396), so arrays replace, null empties them, and `{}` is fine. */
export const updateUserSchema = z.strictObject({
  type: type.optional(),
  email: email.optional(),
  firstName: firstName.optional(),
  lastName: lastName.optional(),
  roles: stated('2.1', roles.nullish(), 'Role names; replaces the whole list.'),
  organizationUnits: stated(
    '2.1',
    organizationUnits.nullish(),
    'Identifiers of OUs; replaces the whole list.',
  ),
});

/** A user as the portal returns it. */
export const userSchema = z.strictObject({
  id: chosen(z.int(), 'Internal number; `userId` of paths and of the audit log.'),
  type,
  email,
  firstName,
  lastName,
  roles: stated('2.1', z.array(z.string()), 'Role names.'),
  organizationUnits: stated('2.1', z.array(z.string()), 'Identifiers of OUs.'),
  displayName: chosen(z.string(), 'First and last name.'),
  isActive: chosen(z.boolean(), 'Whether the user may sign in.'),
  createdAt: chosen(z.iso.datetime(), 'ISO 8601 UTC.'),
  updatedAt: chosen(z.iso.datetime(), 'ISO 8601 UTC.'),
  lastLoginAt: chosen(
    z.iso.datetime().nullable(),
    'Last sign-in, ISO 8601 UTC, or null. Not produced here, where nobody signs in: what a seed names stays.',
  ),
});

/** A user as the portal returns it. */
export type UserBody = z.output<typeof userSchema>;
