/** One rejected field, by its path in the request (`value.reportId`, `page`, `Svc.TenantId`). */
export interface RefusedField {
  readonly field: string;
  readonly message: string;
}

/** Details of a failure besides its message. */
export interface PortalFailureDetails {
  readonly status: number;
  /** Stable code of the `/v1` dialect. */
  readonly code: string;
  readonly fields?: readonly RefusedField[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** An intentional refusal of the portal, for both dialects. Its message never contains a secret. */
export class PortalFailure extends Error implements PortalFailureDetails {
  override readonly name = 'PortalFailure';
  readonly status: number;
  readonly code: string;
  readonly fields: readonly RefusedField[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, details: PortalFailureDetails) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.code = details.code;
    this.fields = details.fields ?? [];
    this.headers = details.headers ?? {};
  }
}

/** Creates a 400 with every rejected field. */
export const invalidFields = (fields: readonly RefusedField[]): PortalFailure =>
  new PortalFailure(fields.map(({ field, message }) => `${field}: ${message}`).join('; '), {
    status: 400,
    code: 'validation_failed',
    fields,
  });

/** 400 for one field. */
export const invalidField = (field: string, message: string): PortalFailure =>
  invalidFields([{ field, message }]);

/** 405 with the methods that the path has. */
export const notAllowed = (method: string, allowed: readonly string[]): PortalFailure =>
  new PortalFailure(`The method ${method} is not allowed.`, {
    status: 405,
    code: 'method_not_allowed',
    headers: { allow: allowed.join(', ') },
  });

/** 404 for what a field names; the message is a sentence. */
export const notFoundField = (field: string, message: string): PortalFailure =>
  new PortalFailure(message, { status: 404, code: 'not_found', fields: [{ field, message }] });

/** 404 for a resource that this tenant does not have. */
export const notFound = (what: string, field: string): PortalFailure =>
  notFoundField(field, `${what} does not exist in this tenant.`);

/** 404 for a tenant that was removed after its key was accepted. */
export const tenantIsGone = (): PortalFailure =>
  new PortalFailure('The tenant was removed in the meantime.', { status: 404, code: 'not_found' });

/** 401 for an API key that was revoked after it was accepted. */
export const apiKeyIsRevoked = (): PortalFailure =>
  new PortalFailure('The API key was revoked in the meantime.', { status: 401, code: 'unauthorized' });

/** A refusal of one field. */
export const refusedField = (
  status: number,
  code: string,
  refused: RefusedField,
  more: Pick<PortalFailureDetails, 'headers' | 'cause'> = {},
): PortalFailure =>
  new PortalFailure(`${refused.field}: ${refused.message}`, { status, code, fields: [refused], ...more });

/** 409 for a value that must be unique in the tenant. */
export const conflict = (field: string, message: string): PortalFailure =>
  refusedField(409, 'conflict', { field, message });

/** A field by its path: `value.roleNames[2]`. */
export const fieldName = (path: readonly PropertyKey[], prefix = ''): string =>
  path.reduce<string>(
    (name, part) =>
      typeof part === 'number' ? `${name}[${part}]` : name === '' ? String(part) : `${name}.${String(part)}`,
    prefix,
  );
