import { z } from 'zod';

/** A choice among alternatives: the first is the portal's default. */
const alternatives = <const TValues extends readonly [string, ...string[]]>(values: TValues) =>
  z.enum(values).default(values[0] as TValues[number] as never);

/**
 * How a tenant responds where the interface leaves a choice. Each field is a row of the table of gaps; the default is
 * the portal's choice, the others are common in similar services.
 */
export const profileSchema = z.strictObject({
  successBody: alternatives(['bare', 'envelope', 'data', 'empty']),
  createStatus: z.union([z.literal(201), z.literal(200), z.literal(202)]).default(201),
  deleteStatus: z.union([z.literal(204), z.literal(200)]).default(204),
  listShape: alternatives(['items', 'array', 'data', 'value', 'results', 'envelope']),
  totalIn: alternatives(['totalCount', 'total', 'count', 'header', 'link', 'nowhere']),
  firstPage: z.union([z.literal(1), z.literal(0)]).default(1),
  /** How a pageSize above the maximum, or paging as a whole, is handled. */
  paging: alternatives(['refuse', 'cap', 'ignore']),
  /** Number of rows that unpaged lists are cut to, whatever their total. */
  cappedAt: z.int().min(1).optional(),
  userId: alternatives(['id', 'userId']),
  userIdType: alternatives(['integer', 'string']),
  unknownFields: alternatives(['none', 'some']),
  unknownEnumValues: alternatives(['none', 'some']),
  errorBody: alternatives(['rest', 'flat', 'envelope', 'problem', 'statusCode', 'html', 'text', 'empty']),
  validationStatus: z.union([z.literal(400), z.literal(422)]).default(400),
  conflictStatus: z.union([z.literal(409), z.literal(400), z.literal(422)]).default(409),
  roleCode: alternatives(['nullable', 'missing']),
  unitId: alternatives(['string', 'number']),
  topParent: alternatives(['root', 'null']),
  syncBody: alternatives(['counts', 'empty']),
  syncStatus: z.union([z.literal(202), z.literal(200), z.literal(204)]).default(202),
  itemId: alternatives(['both', 'numberOnly', 'guidOnly']),
  auditNames: alternatives(['ours', 'event', 'activity']),
  auditDetails: alternatives(['object', 'text']),
  mintErrors: alternatives(['status', 'always200']),
  tenantHeader: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,64}$/)
    .default('Svc.TenantId'),
  webhookAuthorization: alternatives(['Bearer', 'bearer', 'bare']),
  webhookBody: alternatives(['object', 'renamed', 'flat', 'array']),
  webhookReportId: alternatives(['guid', 'number']),
  webhookValues: alternatives(['typed', 'text']),
});

/** How a tenant responds where the interface leaves a choice. */
export type Profile = z.output<typeof profileSchema>;
/** A profile before parsing: only the differences from the defaults. */
export type ProfileChoice = z.input<typeof profileSchema>;

/** The default profile. */
export const defaultProfile: Profile = profileSchema.parse({});
