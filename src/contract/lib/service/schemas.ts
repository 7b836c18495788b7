import { z } from 'zod';
import { quoteText } from '../quoteText.ts';
import { isEmailAddress } from './email.ts';
import { type ResourceName, resources, type ServiceField, type ServiceResource } from './resources.ts';
import type {
  FieldValue,
  ServiceInput,
  ServiceMergePatch,
  ServiceNewRow,
  ServiceRow,
} from './resourceTypes.ts';

/** A field of a new row, with the section of the interface that states it. */
const stated = (schema: z.ZodType, { about, source }: ServiceField): z.ZodType =>
  source === 'our choice'
    ? schema.describe(about)
    : schema.meta({ description: about, 'x-provenance': source });
/** A field of a returned or changed row, none of which the interface shows. */
const unstated = (schema: z.ZodType, { about }: ServiceField): z.ZodType => schema.describe(about);

const limited = (base: z.ZodString, { maxLength, pattern }: ServiceField): z.ZodString => {
  const text =
    maxLength === undefined ? base : base.max(maxLength, `must be at most ${maxLength} characters`);
  return pattern === undefined ? text : text.regex(new RegExp(pattern[0]), pattern[1]);
};
const filled = (base: z.ZodString): z.ZodString => base.min(1, 'must not be empty');
const glyph = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
/**
 * Rejects a text of spaces, control characters and characters without a glyph, such as a zero-width space or the empty
 * Braille pattern. An empty one is for another check.
 */
export const visible = [
  (text: string): boolean => text === '' || glyph.test(text),
  'must have a visible character',
] as const;

/** What a client may send for a field, apart from null and absence. */
const sentValue = (field: ServiceField, document = unstated): z.ZodType => {
  const { kind, maxItems = Number.POSITIVE_INFINITY } = field;
  switch (kind) {
    case 'name':
      return limited(filled(z.string().trim()), field).refine(...visible);
    case 'text':
      return limited(z.string(), field);
    case 'code':
      return limited(filled(z.string()), field).refine(...visible);
    case 'email':
      return (
        limited(z.string(), field)
          .refine(isEmailAddress, {
            error: ({ input }) => `must be an email address, not ${quoteText(String(input))}`,
          })
          // For readers of the document; the check above also rejects invisible characters.
          .meta({ pattern: '^[^\\s@]+@[^\\s@]+$' })
      );
    case 'guid':
      return z.guid('must be a GUID');
    case 'integer':
      return z.int();
    case 'boolean':
      return z.boolean();
    case 'time':
      return z.iso.datetime();
    case 'choice':
      return z.enum(field.values ?? []);
    case 'names':
      return z.array(limited(filled(z.string().trim()), field)).max(maxItems);
    case 'list':
      return z.array(z.strictObject(mapFields(field.fields ?? {}, sentField, document))).max(maxItems);
    case 'object':
      return z.record(z.string(), z.unknown());
  }
};

const mapFields = (
  fields: ServiceResource['fields'],
  toSchema: (field: ServiceField, document: typeof unstated) => z.ZodType | undefined,
  document = unstated,
): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const schema = toSchema(field, document);
      return schema === undefined ? [] : [[name, document(schema, field)]];
    }),
  );

const sentField = (field: ServiceField, document: typeof unstated): z.ZodType | undefined => {
  if (field.create === undefined) return undefined;
  const value = sentValue(field, document);
  if (field.default !== undefined) return value.default(field.default);
  if (field.create === 'required') return value;
  return field.nullable === true ? value.nullish() : value.optional();
};

const returnedField = (field: ServiceField): z.ZodType => {
  // Limits are for what is sent; a list of names has none once it is stored.
  const value = field.kind === 'names' ? z.array(z.string()) : sentValue(field);
  return field.nullable === true ? value.nullable() : value;
};

const readOnly = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .optional()
  .meta({ description: 'Read-only: ignored if sent unchanged, rejected if changed.' });

/** Null empties a list or a field that may be null (RFC 7396). */
const changedField = (field: ServiceField): z.ZodType | undefined => {
  if (field.create === undefined || field.change === false) return undefined;
  const value = sentValue(field);
  return field.nullable === true || field.kind === 'names' ? value.nullish() : value.optional();
};

/** A field as a client may send it, apart from null and absence: further bodies are made of them. */
export const fieldSchema = <TField extends ServiceField>(field: TField): z.ZodType<FieldValue<TField>> =>
  // The type is derived from the same table.
  unstated(sentValue(field), field) as z.ZodType<FieldValue<TField>>;

/** The body that creates a row, with the defaults filled in; `extra` has further fields, or other rules for some, as in a seed. */
export const createSchema = <TName extends ResourceName, const TExtra extends z.ZodRawShape = {}>(
  name: TName,
  // The default of its type has no member.
  extra: TExtra = {} as TExtra,
): z.ZodType<
  Omit<ServiceNewRow<TName>, keyof TExtra> & z.output<z.ZodObject<TExtra>>,
  Omit<ServiceInput<TName>, keyof TExtra> & z.input<z.ZodObject<TExtra>>
> => {
  const { fields, noun }: ServiceResource = resources[name];
  const shape: z.ZodRawShape = { ...mapFields(fields, sentField, stated), ...extra };
  const schema = z.strictObject(shape).check(({ value: row, issues }) => {
    for (const [field, { requiredWith: [other = '', value] = [] }] of Object.entries(fields))
      if (value !== undefined && row[other] === value && (row[field] ?? undefined) === undefined)
        issues.push({
          code: 'custom',
          path: [field],
          message: `is required for ${value} ${noun}s`,
          input: row,
        });
  });
  // The types are derived from the same table.
  return schema as unknown as ReturnType<typeof createSchema<TName, TExtra>>;
};

/**
 * A merge patch (RFC 7396) of a row: any subset of its fields, so lists replace. Fields that only the service sets are
 * allowed unchanged.
 */
export const changeSchema = <TName extends ResourceName>(
  name: TName,
): z.ZodType<ServiceMergePatch<TName>> => {
  const { fields }: ServiceResource = resources[name];
  const schema = z.strictObject(mapFields(fields, (field) => changedField(field) ?? readOnly));
  // As above.
  return schema as unknown as z.ZodType<ServiceMergePatch<TName>>;
};

/** A row as the portal returns it. */
export const rowSchema = <TName extends ResourceName>(name: TName): z.ZodType<ServiceRow<TName>> => {
  const { fields }: ServiceResource = resources[name];
  // As above.
  return z.strictObject(mapFields(fields, returnedField)) as unknown as z.ZodType<ServiceRow<TName>>;
};
