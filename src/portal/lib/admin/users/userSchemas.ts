import { isEmailAddress, maxEmailLength, quoteText, userTypes } from '@vitrine/contract';
import { z } from 'zod';
import { chosen, stated } from '../../provenances.ts';
import { displayText } from '../displayText.ts';

/** An email address, including internationalized ones and single-label domains. */
export const emailSchema = z
  .string()
  .max(maxEmailLength, `must be at most ${maxEmailLength} characters`)
  .refine(isEmailAddress, {
    error: ({ input }) => `must be an email address, not ${quoteText(String(input))}`,
  })
  .meta({ format: 'idn-email' });

const type = stated('2.1', z.enum(userTypes), 'Identity kind.');
const email = stated('2.1', emailSchema, 'Email address, unique in the tenant, ignoring case.');
const firstName = stated('2.1', displayText(64), 'Given name.');
const lastName = stated('2.1', displayText(64), 'Family name.');
const roles = z.array(displayText(128)).max(200);
const organizationUnits = z.array(displayText(32)).max(200);

/** Body of `POST /v1/users`. */
export const createUserSchema = z.strictObject({
  type,
  email,
  firstName,
  lastName,
  roles: stated('2.1', roles.default([]), 'Role names.'),
  organizationUnits: stated('2.1', organizationUnits.default([]), 'Identifiers of OUs.'),
});

/** A user as the portal returns it. */
export const userSchema = z.strictObject({
  id: chosen(z.int(), 'Internal ID; `userId` in paths and in the audit log.'),
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
    'Last sign-in, ISO 8601 UTC, or null. Nobody signs in to this portal, so the value of the seed stays.',
  ),
});

/** Fields of a returned user that only the portal sets. */
export const readOnlyUserFields = [
  'id',
  'displayName',
  'isActive',
  'createdAt',
  'updatedAt',
  'lastLoginAt',
] as const satisfies readonly (keyof UserBody)[];

/** A field of a returned user that only the portal sets. */
export type ReadOnlyUserField = (typeof readOnlyUserFields)[number];

const readOnly = chosen(
  z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  'Read-only: ignored if sent unchanged, rejected if changed.',
);

/**
 * Body of `PATCH /v1/users/{userId}`: a merge patch (RFC 7396), so arrays replace, null empties them, and `{}` is
 * valid.
 */
export const updateUserSchema = z.strictObject({
  type: type.optional(),
  email: email.optional(),
  firstName: firstName.optional(),
  lastName: lastName.optional(),
  roles: stated('2.1', roles.nullish(), 'Role names; replaces the list.'),
  organizationUnits: stated('2.1', organizationUnits.nullish(), 'Identifiers of OUs; replaces the list.'),
  id: readOnly,
  displayName: readOnly,
  isActive: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
  lastLoginAt: readOnly,
});

/** A user as the portal returns it. */
export type UserBody = z.output<typeof userSchema>;
/** A user to create. */
export type NewUser = z.output<typeof createUserSchema>;
/** A merge patch of a user. */
export type UserPatch = z.output<typeof updateUserSchema>;
