import { roleTypes } from '@vitrine/contract';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { recordedChange } from '../../audit/recordedChange.ts';
import type { RolesTable } from '../../database/tables/people.ts';
import { jsonReply } from '../../http/exchange.ts';
import { conflict } from '../../http/portalFailure.ts';
import { chosen, stated } from '../../openapi/provenance.ts';
import { defineOperation } from '../../service/operation.ts';
import { actorOf } from '../actor.ts';
import { text } from '../text.ts';
import { defineWholeList } from '../wholeList.ts';

const shared = { tag: 'Roles', section: '4.2', permission: 'Administration.Roles' } as const;

const name = stated('2.2', text(128), 'Display name, unique in the tenant.');
const type = stated('2.2', z.enum(roleTypes), 'Kind of role.');
const code = z
  .string()
  .min(1, 'must not be empty')
  .max(50, 'must be at most 50 characters')
  .regex(/^[^,\s](?:[^,]*[^,\s])?$/, 'must hold no comma and no space at its ends');

const createRoleSchema = z
  .strictObject({
    name,
    type,
    code: stated(
      '2.2',
      code.nullish(),
      'Role code; required for RLS roles, whose codes are the values of `roleNames`. Unique in the tenant. Which rows it opens is a rule of the report, not of this interface: until a seed or the control interface sets one, none.',
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
  isSystem: chosen(z.boolean(), 'Whether the role belongs to the service itself.'),
});

const toRoleBody = (row: Selectable<RolesTable>): z.output<typeof roleSchema> => ({
  id: row.id,
  name: row.name,
  type: row.type as (typeof roleTypes)[number],
  code: row.code,
  description: row.description,
  isSystem: row.is_system === 1,
});

const listRoles = defineWholeList({
  ...shared,
  path: '/v1/roles',
  operationId: 'listRoles',
  summary: 'All roles of the tenant.',
  row: roleSchema,
  read: async ({ db }, tenant) =>
    (await db.selectFrom('roles').selectAll().where('tenant_id', '=', tenant.id).orderBy('id').execute()).map(
      toRoleBody,
    ),
});

const createRole = defineOperation({
  ...shared,
  method: 'POST',
  path: '/v1/roles',
  operationId: 'createRole',
  summary: 'Creates a role.',
  body: createRoleSchema,
  success: { status: 201, schema: roleSchema },
  refusals: [409],
  handle: async (call) => {
    const { services, tenant, body } = call;
    const role = await recordedChange(services, tenant.id, async ({ db, atMs, record }) => {
      const clash = await db
        .selectFrom('roles')
        .select(['name_key', 'code'])
        .where('tenant_id', '=', tenant.id)
        .where((either) =>
          either.or([
            either('name_key', '=', body.name.toLowerCase()),
            ...(body.code === undefined || body.code === null ? [] : [either('code', '=', body.code)]),
          ]),
        )
        .executeTakeFirst();
      if (clash !== undefined)
        throw clash.name_key === body.name.toLowerCase()
          ? conflict('name', 'another role of this tenant has this name')
          : conflict('code', 'another role of this tenant has this code');
      const row = await db
        .insertInto('roles')
        .values({
          tenant_id: tenant.id,
          name: body.name,
          name_key: body.name.toLowerCase(),
          type: body.type,
          code: body.code ?? null,
          description: body.description,
          is_system: 0,
          rule: null,
          created_at: atMs,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await record({
        actionType: 'RoleCreated',
        actor: actorOf(call),
        resourceType: 'Role',
        resourceId: row.id,
        description: `The role "${row.name}" was created.`,
        details: { type: row.type, code: row.code },
      });
      return toRoleBody(row);
    });
    return jsonReply(201, role, { location: `/v1/roles/${role.id}` });
  },
});

/** Operations of roles (interface 4.2). */
export const roleOperations = [listRoles, createRole];
