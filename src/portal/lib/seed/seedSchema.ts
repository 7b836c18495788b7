import { emailKey, resources, rootOrganizationUnitId } from '@vitrine/contract/service';
import { createSchema, fieldSchema } from '@vitrine/contract/service/schemas';
import { z } from 'zod';
import { webhookSecretSchema, webhookUrlSchema } from '../actions/webhookSchemas.ts';
import { allPermissions } from '../auth/permissions.ts';
import { findFlaws } from '../http/readJsonBody.ts';
import { nameKey } from '../nameKey.ts';
import { reportKinds } from '../reports/shared/reportKinds.ts';
import { rowRuleSchema } from '../rowSecurity.ts';

const { user, item, organizationUnit, apiKey } = resources;
const name = fieldSchema(apiKey.fields.name);
const guid = z.guid('must be a GUID');

type Path = readonly PropertyKey[];
type Context = z.core.$RefinementCtx;

const refuse = (context: Context, path: Path, message: string): void =>
  context.addIssue({ code: 'custom', path: [...path], message });

/** Refuses each place whose key an earlier one has. Without a key, a place is not compared. */
const requireUnique = (
  context: Context,
  places: readonly (readonly [key: string | undefined, path: Path])[],
  message: string,
): void => {
  const seen = new Set<string>();
  for (const [key, path] of places) {
    if (key === undefined) continue;
    if (seen.has(key)) refuse(context, path, message);
    seen.add(key);
  }
};

/** Where names stand, and what they may be. */
interface Known {
  readonly known: ReadonlySet<string>;
  readonly path: Path;
  readonly what: string;
  /** Default: names of roles and GUIDs, ignoring case. */
  readonly keyOf?: (name: string) => string;
}

/** Refuses each name that is not declared. */
const requireKnown = (
  context: Context,
  names: readonly string[],
  { known, path, what, keyOf = nameKey }: Known,
): void => {
  for (const [place, one] of names.entries())
    if (!known.has(keyOf(one)))
      refuse(context, [...path, place], `refers to the ${what} "${one}", which is not declared`);
};

/** The identity directory for synchronizations: people, and groups with their members. */
export const directorySchema = z
  .strictObject({
    people: z
      .array(
        z.strictObject({
          id: guid,
          email: fieldSchema(user.fields.email),
          firstName: fieldSchema(user.fields.firstName),
          lastName: fieldSchema(user.fields.lastName),
          type: fieldSchema(user.fields.type).default('DirectoryAD'),
        }),
      )
      .default([]),
    groups: z.array(createSchema('directoryGroup', { members: z.array(guid).default([]) })).default([]),
  })
  .superRefine(({ people, groups }, context) => {
    requireUnique(
      context,
      people.map(({ id }, place) => [nameKey(id), ['people', place, 'id']]),
      'is also the ID of another person',
    );
    requireUnique(
      context,
      groups.map(({ id }, place) => [nameKey(id), ['groups', place, 'id']]),
      'is also the ID of another group',
    );
    const known = new Set(people.map(({ id }) => nameKey(id)));
    for (const [place, { members }] of groups.entries())
      requireKnown(context, members, { known, path: ['groups', place, 'members'], what: 'person' });
  });

/** CSP `frame-ancestors` of report pages. */
export const frameAncestorsSchema = z
  .string()
  .max(2000)
  // It is sent in a header, which allows visible ASCII and spaces; here without a comma and a semicolon.
  .regex(
    /^[\x20-\x2b\x2d-\x3a\x3c-\x7e]+$/,
    "must be sources of frame-ancestors: *, 'none', 'self' or origins",
  );

/** The tenancy name. */
export const subdomainSchema = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be a lower-case subdomain: letters, digits and dashes, at most 63',
  );

const itemId = z.int().positive();

const seedTenantSchema = z.strictObject({
  tenantId: z.int().positive().max(2_000_000_000),
  tenancyName: subdomainSchema,
  displayName: name,
  apiKeys: z
    .array(
      createSchema('apiKey', {
        key: z
          .string()
          .min(16)
          .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces'),
        permissions: z.array(z.enum(allPermissions)).optional(),
      }),
    )
    .optional(),
  passPhrase: z.string().min(8).max(1024).optional(),
  frameAncestors: frameAncestorsSchema.default('*'),
  roles: z
    .array(createSchema('role', { isSystem: z.boolean().default(false), rule: rowRuleSchema.optional() }))
    .default([]),
  organizationUnits: z
    .array(createSchema('organizationUnit', { id: fieldSchema(organizationUnit.fields.parentId) }))
    .default([]),
  users: z.array(createSchema('user', { lastLoginAt: z.iso.datetime().optional() })).default([]),
  directory: directorySchema.default({ people: [], groups: [] }),
  items: z
    .array(
      createSchema('item', {
        id: itemId,
        guid: guid.optional(),
        workspaceId: guid.optional(),
        reportId: guid.optional(),
        additionalData: fieldSchema(item.fields.additionalData).optional(),
        hasRls: z.boolean().optional(),
        report: z.enum(reportKinds).default('sales'),
      }),
    )
    .default([]),
  tasks: z
    .array(
      createSchema('task', {
        itemId: itemId.optional(),
        webhookUrl: webhookUrlSchema.optional(),
        secret: webhookSecretSchema.nullish(),
        query: z.string().max(10_000).optional(),
      }),
    )
    .default([]),
  slideshows: z.array(z.strictObject({ name, itemId })).default([]),
});

/** One tenant of a {@link ParsedSeed}. */
export type SeedTenant = z.output<typeof seedTenantSchema>;

/** Maximum number of levels of the hierarchy of units. */
export const maxUnitDepth = 16;

/** The place of each row of a list whose key must be unique, with its key. */
const placesOf = <TRow>(
  list: string,
  field: string,
  rows: readonly TRow[],
  keyOf: (row: TRow) => string | null | undefined,
) => rows.map((row, place) => [keyOf(row) ?? undefined, [list, place, field]] as const);

/** Refuses what `/v1` would refuse row after row: duplicates, and names that are not declared, each with its place. */
const checkTenant = (tenant: SeedTenant, context: Context): void => {
  const { roles, organizationUnits: units, users, items } = tenant;
  const reportOf = ({ workspaceId = '', reportId }: (typeof items)[number]) =>
    reportId && nameKey(`${workspaceId}/${reportId}`);
  for (const [what, places] of [
    ['the name of another role', placesOf('roles', 'name', roles, ({ name: one }) => nameKey(one))],
    ['the code of another role', placesOf('roles', 'code', roles, ({ code }) => code)],
    ['the address of another user', placesOf('users', 'email', users, ({ email }) => emailKey(email))],
    ['the ID of another unit', placesOf('organizationUnits', 'id', units, ({ id }) => id)],
    [
      'the name of another unit with this parent',
      placesOf(
        'organizationUnits',
        'name',
        units,
        ({ parentId, name: one }) => `${parentId}/${nameKey(one)}`,
      ),
    ],
    ['the ID of another item', placesOf('items', 'id', items, ({ id }) => String(id))],
    ['imported from this workspace by another item', placesOf('items', 'reportId', items, reportOf)],
  ] as const)
    requireUnique(context, places, `is also ${what}`);

  const depths = new Map([[rootOrganizationUnitId, 0]]);
  for (const [place, { id, parentId }] of units.entries()) {
    const path = ['organizationUnits', place, 'parentId'];
    const depth = (depths.get(parentId) ?? 0) + 1;
    if (!depths.has(parentId)) {
      const problem = units.some((unit) => unit.id === parentId) ? 'must come before it' : 'is not declared';
      refuse(context, path, `refers to the unit "${parentId}", which ${problem}`);
    } else if (depth > maxUnitDepth)
      refuse(context, path, `puts the unit more than ${maxUnitDepth} levels deep`);
    if (id === rootOrganizationUnitId)
      refuse(context, ['organizationUnits', place, 'id'], 'is the ID of the top');
    depths.set(id, depths.get(id) ?? depth);
  }

  const roleNames = new Set(roles.map((role) => nameKey(role.name)));
  for (const list of ['users', 'items'] as const)
    for (const [place, row] of tenant[list].entries())
      requireKnown(context, row.roles, { known: roleNames, path: [list, place, 'roles'], what: 'role' });
  const unitIds = new Set(units.map(({ id }) => id));
  for (const [place, { organizationUnits }] of users.entries())
    requireKnown(context, organizationUnits, {
      known: unitIds,
      path: ['users', place, 'organizationUnits'],
      what: 'unit',
      keyOf: String,
    });
  const itemIds = new Set(items.map(({ id }) => id));
  for (const list of ['tasks', 'slideshows'] as const)
    for (const [place, { itemId: id }] of tenant[list].entries())
      if (id !== undefined && !itemIds.has(id))
        refuse(context, [list, place, 'itemId'], `refers to the item ${id}, which is not declared`);
};

/** Refuses what tenants must not share. */
const checkTenants = (tenants: readonly SeedTenant[], context: Context): void => {
  const requireOwn = (placesOf: (tenant: SeedTenant) => readonly (readonly [string | undefined, Path])[]) =>
    requireUnique(
      context,
      tenants.flatMap((tenant, place) =>
        placesOf(tenant).map(([key, path]) => [key, [place, ...path]] as const),
      ),
      'is also used by another tenant, or twice',
    );
  requireOwn(({ tenantId }) => [[String(tenantId), ['tenantId']]]);
  requireOwn(({ tenancyName }) => [[tenancyName, ['tenancyName']]]);
  requireOwn(({ apiKeys = [] }) => apiKeys.map(({ key }, index) => [key, ['apiKeys', index, 'key']]));
  requireOwn(({ items }) =>
    items.map((one, index) => [one.guid && nameKey(one.guid), ['items', index, 'guid']]),
  );
};

/** Maximum number of listed problems: a wrong file may have hundreds of follow-up errors. */
export const maxProblems = 25;

/** A seed. */
export const seedSchema = z
  .unknown()
  .superRefine((value, context) => {
    for (const { path, message } of findFlaws(value))
      if (context.issues.length < maxProblems) refuse(context, path, message);
      else break;
  })
  .pipe(
    z.strictObject({
      tenants: z.array(seedTenantSchema.superRefine(checkTenant)).min(1).superRefine(checkTenants),
    }),
  );

/** A seed with every default filled in. */
export type ParsedSeed = z.output<typeof seedSchema>;
