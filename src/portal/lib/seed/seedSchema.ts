import { emailKey, resources, rootOrganizationUnitId } from '@vitrine/contract/service';
import { createSchema, fieldSchema } from '@vitrine/contract/service/schemas';
import { z } from 'zod';
import { taskSchema } from '../actions/webhookSchemas.ts';
import { findFlaws } from '../http/readJsonBody.ts';
import { nameKey } from '../nameKey.ts';
import { allPermissions } from '../permissions.ts';
import { visualsOf } from '../reports/definitions/reportDefinitions.ts';
import { reportKinds } from '../reports/shared/reportKinds.ts';
import { rowRuleSchema } from '../rowSecurity.ts';

const { user, item, organizationUnit, apiKey } = resources;
const name = fieldSchema(apiKey.fields.name);
const guid = z.guid('must be a GUID');
const directoryId = guid.toLowerCase();

type Path = readonly PropertyKey[];
type Context = z.core.$RefinementCtx;

const refuse = (context: Context, path: Path, message: string): void =>
  context.addIssue({ code: 'custom', path: [...path], message });

/** A name, and where it stands. */
type Place = readonly [name: string, path: Path];

/** The places of one name in each row of a list; a row without it is left out. */
const placesOf = <TRow>(
  list: string,
  field: string,
  rows: readonly TRow[],
  nameOf: (row: TRow) => string | number | null | undefined,
): readonly Place[] =>
  rows.flatMap((row, place): readonly Place[] => {
    const found = nameOf(row) ?? '';
    return found === '' ? [] : [[String(found), [list, place, field]]];
  });

/** The places of every name in a field with several. */
const placesIn = <TField extends string>(
  list: string,
  field: TField,
  rows: readonly { readonly [TKey in TField]: readonly string[] }[],
): readonly Place[] =>
  rows.flatMap((row, place) => row[field].map((found, index): Place => [found, [list, place, field, index]]));

/** Refuses each name that an earlier place has. */
const requireUnique = (context: Context, what: string, places: readonly Place[]): void => {
  const seen = new Set<string>();
  for (const [found, path] of places) {
    if (seen.has(found)) refuse(context, path, `is also ${what}`);
    seen.add(found);
  }
};

/** Refuses each name that is not declared. */
const requireKnown = (
  context: Context,
  what: string,
  declared: readonly (string | number)[],
  places: readonly Place[],
): void => {
  // Names of roles are compared as the portal compares them.
  const keyOf = what === 'role' ? nameKey : String;
  const known = new Set(declared.map((found) => keyOf(String(found))));
  for (const [found, path] of places)
    if (!known.has(keyOf(found)))
      refuse(context, path, `refers to the ${what} "${found}", which is not declared`);
};

/** The identity directory for synchronizations: people, and groups with their members. */
export const directorySchema = z
  .strictObject({
    people: z
      .array(
        z.strictObject({
          id: directoryId,
          email: fieldSchema(user.fields.email),
          firstName: fieldSchema(user.fields.firstName),
          lastName: fieldSchema(user.fields.lastName),
          type: fieldSchema(user.fields.type).default('DirectoryAD'),
        }),
      )
      .default([]),
    groups: z
      .array(createSchema('directoryGroup', { id: directoryId, members: z.array(directoryId).default([]) }))
      .default([]),
  })
  .superRefine(({ people, groups }, context) => {
    const idOf = ({ id }: { readonly id: string }) => id;
    requireUnique(context, 'the ID of another person', placesOf('people', 'id', people, idOf));
    const emailOf = ({ email }: { readonly email: string }) => emailKey(email);
    requireUnique(context, 'the address of another person', placesOf('people', 'email', people, emailOf));
    requireUnique(context, 'the ID of another group', placesOf('groups', 'id', groups, idOf));
    requireKnown(context, 'person', people.map(idOf), placesIn('groups', 'members', groups));
  });

/** A source of CSP `frame-ancestors`: of all sites, of a scheme, or of a host; the quotation marks of two words are often forgotten. */
const hostPart = '[a-zA-Z\\d][a-zA-Z\\d-]*';
const ancestor = `(?:\\*|'self'|https?:|(?!(?:none|self)(?: |$))(?:https?://)?(?:\\*\\.)?${hostPart}(?:\\.${hostPart})*(?::(?:\\d+|\\*))?/?)`;

/** CSP `frame-ancestors` of report pages. */
export const frameAncestorsSchema = z
  .string()
  .max(2000)
  .regex(
    new RegExp(`^(?:'none'|${ancestor}(?: +${ancestor})*)$`),
    "must be sources of frame-ancestors: *, 'none', 'self' or origins",
  );

/** The tenancy name. */
export const subdomainSchema = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be a lower-case subdomain: letters, digits and dashes, at most 63',
  );

const itemId = z.int().positive().max(2_000_000_000);

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
  users: z.array(createSchema('user')).default([]),
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
  tasks: z.array(taskSchema).default([]),
  slideshows: z.array(z.strictObject({ name, itemId })).default([]),
});

/** One tenant of a {@link ParsedSeed}. */
export type SeedTenant = z.output<typeof seedTenantSchema>;

/** Refuses what `/v1` would refuse row after row: duplicates, and names that are not declared, each with its place. */
const checkTenant = (tenant: SeedTenant, context: Context): void => {
  const { roles, organizationUnits: units, users, items, tasks, slideshows } = tenant;
  const unitKey = (unit: (typeof units)[number]) => `${unit.parentId}/${nameKey(unit.name)}`;
  const reportKey = ({ workspaceId = '', reportId }: (typeof items)[number]) =>
    reportId && nameKey(`${workspaceId}/${reportId}`);
  for (const [what, places] of [
    ['the name of another role', placesOf('roles', 'name', roles, (role) => nameKey(role.name))],
    ['the code of another role', placesOf('roles', 'code', roles, ({ code }) => code?.normalize())],
    ['the address of another user', placesOf('users', 'email', users, ({ email }) => emailKey(email))],
    ['the ID of another unit', placesOf('organizationUnits', 'id', units, ({ id }) => id)],
    ['the name of another unit with this parent', placesOf('organizationUnits', 'name', units, unitKey)],
    ['the ID of another item', placesOf('items', 'id', items, ({ id }) => id)],
    ['imported from this workspace by another item', placesOf('items', 'reportId', items, reportKey)],
  ] as const)
    requireUnique(context, what, places);

  const known = new Set([rootOrganizationUnitId]);
  for (const [place, { id, parentId }] of units.entries()) {
    if (!known.has(parentId)) {
      const problem = units.some((unit) => unit.id === parentId) ? 'must come before it' : 'is not declared';
      const path = ['organizationUnits', place, 'parentId'];
      refuse(context, path, `refers to the unit "${parentId}", which ${problem}`);
    }
    if (id === rootOrganizationUnitId)
      refuse(context, ['organizationUnits', place, 'id'], 'is the ID of the top');
    known.add(id);
  }

  const roleNames = roles.map((role) => role.name);
  const unitIds = units.map(({ id }) => id);
  const itemIds = items.map(({ id }) => id);
  for (const [what, declared, places] of [
    ['role', roleNames, placesIn('users', 'roles', users)],
    ['role', roleNames, placesIn('items', 'roles', items)],
    ['unit', unitIds, placesIn('users', 'organizationUnits', users)],
    ['item', itemIds, placesOf('tasks', 'itemId', tasks, (task) => task.itemId)],
    ['item', itemIds, placesOf('slideshows', 'itemId', slideshows, (link) => link.itemId)],
  ] as const)
    requireKnown(context, what, declared, places);
  for (const [place, { itemId: of, visualNames }] of tasks.entries()) {
    const visuals = items.filter(({ id }) => id === of).flatMap(({ report }) => visualsOf(report));
    const named = visualNames.map((found, index): Place => [found, ['tasks', place, 'visualNames', index]]);
    requireKnown(context, 'visual', visuals, named);
  }
};

/** Refuses what tenants must not share. */
const checkTenants = (tenants: readonly SeedTenant[], context: Context): void => {
  const placesOfAll = (placesOfOne: (tenant: SeedTenant) => readonly Place[]) =>
    tenants.flatMap((tenant, place) =>
      placesOfOne(tenant).map(([found, path]): Place => [found, [place, ...path]]),
    );
  for (const places of [
    placesOfAll(({ tenantId }) => [[String(tenantId), ['tenantId']]]),
    placesOfAll(({ tenancyName }) => [[tenancyName, ['tenancyName']]]),
    placesOfAll(({ apiKeys = [] }) => placesOf('apiKeys', 'key', apiKeys, ({ key }) => key)),
    placesOfAll(({ items }) => placesOf('items', 'guid', items, (item) => item.guid && nameKey(item.guid))),
  ])
    requireUnique(context, 'used by another tenant, or twice', places);
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
