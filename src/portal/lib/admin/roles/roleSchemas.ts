import { roleTypes } from '@vitrine/contract';
import { z } from 'zod';
import { chosen, stated } from '../../provenances.ts';
import { displayText } from '../displayText.ts';

const name = stated('2.2', displayText(128), 'Display name, unique in the tenant.');
const type = stated('2.2', z.enum(roleTypes), 'Kind of role.');
const code = z
  .string()
  .min(1, 'must not be empty')
  .max(50, 'must be at most 50 characters')
  .regex(/^[^,\s](?:[^,]*[^,\s])?$/, 'must not contain a comma, or a space at the start or end');

/** Body of `POST /v1/roles`. */
export const createRoleSchema = z
  .strictObject({
    name,
    type,
    code: stated(
      '2.2',
      code.nullish(),
      'Role code; required for RLS roles, whose codes are the values of `roleNames`. Unique in the tenant. A rule of the report decides which rows it shows: none until the console or a seed sets one.',
    ),
    description: stated('2.2', z.string().max(1000).default(''), 'Free text.'),
  })
  .refine((role) => role.type !== 'RLS' || (role.code !== undefined && role.code !== null), {
    path: ['code'],
    message: 'is required for RLS roles',
  });

/** A role as the portal returns it. */
export const roleSchema = z.strictObject({
  id: chosen(z.int(), 'Internal number.'),
  name,
  type,
  code: stated('2.2', z.string().nullable(), 'Role code, or null.'),
  description: stated('2.2', z.string(), 'Free text.'),
  isSystem: chosen(z.boolean(), 'Whether the role belongs to the service.'),
});

/** A role as the portal returns it. */
export type RoleBody = z.output<typeof roleSchema>;
/** A role to create. */
export type NewRole = z.output<typeof createRoleSchema>;
