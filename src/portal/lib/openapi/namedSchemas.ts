import type { JsonSchema } from './jsonSchema.ts';

const prefix = '#/components/schemas/';

/** Resource of each operation by operationId: the name of one row of its response. */
export const answerNames: Readonly<Record<string, string>> = {
  listUsers: 'User',
  createUser: 'User',
  getUser: 'User',
  updateUser: 'User',
  listRoles: 'Role',
  createRole: 'Role',
  listOrganizationUnits: 'OrganizationUnit',
  createOrganizationUnit: 'OrganizationUnit',
  syncOrganizationUnit: 'OrganizationUnitSync',
  listItems: 'Item',
  importItem: 'Item',
  listTasks: 'Task',
  listLinks: 'Link',
  listAuditLogs: 'AuditRecord',
};

/** The shared schemas of a document, collected while its operations are written. */
export interface NamedSchemas {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** Adds a schema under a name, and returns its reference. */
  readonly name: (name: string, schema: JsonSchema) => JsonSchema;
  /** Names a response: a list by the name of its rows, anything else by its own. */
  readonly nameAnswer: (operationId: string, schema: JsonSchema) => JsonSchema;
}

/** Creates the collection of a document's shared schemas. */
export const createNamedSchemas = (): NamedSchemas => {
  const schemas: Record<string, JsonSchema> = {};
  const name = (given: string, schema: JsonSchema): JsonSchema => {
    schemas[given] ??= schema;
    return { $ref: prefix + given };
  };
  return {
    schemas,
    name,
    nameAnswer: (operationId, schema) => {
      const row = answerNames[operationId] ?? operationId.replace(/^./, (first) => first.toUpperCase());
      const items = schema.properties?.['items'];
      if (items?.items === undefined) return name(row, schema);
      return name(`${row}List`, {
        ...schema,
        properties: { ...schema.properties, items: { ...items, items: name(row, items.items) } },
      });
    },
  };
};

/** Resolves all references in a part of a document. */
export const withoutReferences = (value: unknown, schemas: Readonly<Record<string, JsonSchema>>): unknown => {
  if (Array.isArray(value)) return value.map((part) => withoutReferences(part, schemas));
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && typeof value.$ref === 'string')
    return withoutReferences(schemas[value.$ref.slice(prefix.length)], schemas);
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, withoutReferences(part, schemas)]),
  );
};
