import type { JsonSchema } from './jsonSchema.ts';

/** A field in the documentation. */
export interface DocumentedField {
  /** `items[].email` */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  readonly provenance: string;
}

const typeOf = (schema: JsonSchema): string => {
  if (schema.enum !== undefined) return schema.enum.map(String).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.type === 'array')
    return `array of ${schema.items === undefined ? 'anything' : typeOf(schema.items)}`;
  const type = [schema.type ?? 'anything'].flat().join(' | ');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
};

const partsOf = (schema: JsonSchema): readonly JsonSchema[] => [schema, ...(schema.anyOf ?? [])];

/** All fields of a schema, including nested ones, with their provenance. */
export const documentedFields = (schema: JsonSchema, prefix = '', inherited = ''): DocumentedField[] =>
  partsOf(schema).flatMap((part) => [
    ...Object.entries(part.properties ?? {}).flatMap(([name, property]) => {
      const path = prefix === '' ? name : `${prefix}.${name}`;
      const provenance = property['x-provenance'] ?? inherited;
      return [
        {
          name: path,
          type: typeOf(property),
          isRequired: part.required?.includes(name) === true,
          description: property.description ?? '',
          provenance,
        },
        ...documentedFields(property, path, provenance),
      ];
    }),
    ...(part.items === undefined
      ? []
      : documentedFields(part.items, `${prefix}[]`, part.items['x-provenance'] ?? inherited)),
  ]);
