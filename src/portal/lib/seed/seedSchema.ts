import { resources, rootOrganizationUnitId } from '@vitrine/contract/service';
import { fieldSchema } from '@vitrine/contract/service/schemas';
import { z } from 'zod';
import { webhookSecretSchema, webhookUrlSchema } from '../actions/webhookSchemas.ts';
import { reportKinds } from '../reports/shared/reportKinds.ts';
import { rowRuleSchema } from '../rowSecurity.ts';
import { checkReferences } from './checkReferences.ts';

const name = z.string().min(1).max(256);

const { user, role, organizationUnit, item, task } = resources;
const person = {
  email: fieldSchema(user.fields.email),
  firstName: fieldSchema(user.fields.firstName),
  lastName: fieldSchema(user.fields.lastName),
};

/** The identity directory for synchronizations: people and groups. */
export const directorySchema = z.strictObject({
  people: z
    .array(
      z.strictObject({
        ...person,
        id: z.guid(),
        type: fieldSchema(user.fields.type).default('DirectoryAD'),
      }),
    )
    .default([]),
  groups: z.array(z.strictObject({ id: z.guid(), name, members: z.array(z.guid()).default([]) })).default([]),
});

const seedTenantSchema = z.strictObject({
  tenantId: z.int().positive().max(2_000_000_000),
  /** Subdomain of the tenant. */
  tenancyName: z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be a lower-case subdomain'),
  displayName: name,
  /** Default: a public development key and passphrase. */
  apiKeys: z
    .array(z.strictObject({ name, key: z.string().min(16), permissions: z.array(z.string()).optional() }))
    .optional(),
  passPhrase: z.string().min(8).optional(),
  /** CSP `frame-ancestors` of the report pages. */
  frameAncestors: z.string().default('*'),
  roles: z
    .array(
      z.strictObject({
        name: fieldSchema(role.fields.name),
        type: fieldSchema(role.fields.type),
        code: fieldSchema(role.fields.code).optional(),
        description: fieldSchema(role.fields.description).default(''),
        isSystem: z.boolean().default(false),
        rule: rowRuleSchema.optional(),
      }),
    )
    .default([]),
  /** `id` is a name within this file, for `parentId` and for users. */
  organizationUnits: z
    .array(
      z.strictObject({
        id: name,
        name: fieldSchema(organizationUnit.fields.name),
        parentId: z.string().default(rootOrganizationUnitId),
        directoryGroupId: z.guid().optional(),
      }),
    )
    .default([]),
  users: z
    .array(
      z.strictObject({
        ...person,
        type: fieldSchema(user.fields.type),
        roles: fieldSchema(user.fields.roles).default([]),
        organizationUnits: z.array(z.string()).default([]),
        /** Nobody signs in to this portal, so this value stays. */
        lastLoginAt: z.iso.datetime().optional(),
      }),
    )
    .default([]),
  directory: directorySchema.default({ people: [], groups: [] }),
  items: z
    .array(
      z.strictObject({
        id: z.int().positive(),
        guid: z.guid().optional(),
        type: fieldSchema(item.fields.type).default('report'),
        workspaceId: z.guid().optional(),
        reportId: z.guid().optional(),
        displayName: fieldSchema(item.fields.displayName),
        roles: fieldSchema(item.fields.roles).default([]),
        hasRls: z.boolean().default(false),
        report: z.enum(reportKinds).default('sales'),
      }),
    )
    .default([]),
  tasks: z
    .array(
      z.strictObject({
        name: fieldSchema(task.fields.name),
        description: fieldSchema(task.fields.description).default(''),
        kind: fieldSchema(task.fields.kind),
        itemId: z.int().positive().optional(),
        visualNames: fieldSchema(task.fields.visualNames).default([]),
        webhookUrl: webhookUrlSchema.optional(),
        /** Default: a development secret. `null`: no secret. */
        secret: webhookSecretSchema.nullable().optional(),
        query: z.string().optional(),
        enabled: z.boolean().default(true),
      }),
    )
    .default([]),
  slideshows: z.array(z.strictObject({ name, itemId: z.int().positive() })).default([]),
});

/** A seed. */
export const seedSchema = z.strictObject({
  tenants: z
    .array(seedTenantSchema.superRefine(checkReferences))
    .min(1)
    .superRefine((tenants, context) => {
      for (const field of ['tenantId', 'tenancyName'] as const) {
        const seen = new Set<string | number>();
        for (const [place, tenant] of tenants.entries()) {
          if (seen.has(tenant[field]))
            context.addIssue({
              code: 'custom',
              path: [place, field],
              message: 'is also used by another tenant',
            });
          seen.add(tenant[field]);
        }
      }
    }),
});

/** A seed with every default filled in. */
export type ParsedSeed = z.output<typeof seedSchema>;
/** One tenant of a {@link ParsedSeed}. */
export type SeedTenant = ParsedSeed['tenants'][number];
