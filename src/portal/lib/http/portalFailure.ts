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

/** 404 for a resource that this tenant does not have. */
export const notFound = (what: string, field?: string): PortalFailure =>
  new PortalFailure(`${what} does not exist in this tenant.`, {
    status: 404,
    code: 'not_found',
    ...(field !== undefined && { fields: [{ field, message: `${what} does not exist in this tenant.` }] }),
  });

/** 404 for a tenant that was removed after its key was accepted. */
export const tenantIsGone = (): PortalFailure =>
  new PortalFailure('The tenant was removed in the meantime.', { status: 404, code: 'not_found' });

/** 409 for a value that must be unique in the tenant. */
export const conflict = (field: string, message: string): PortalFailure =>
  new PortalFailure(`${field}: ${message}`, { status: 409, code: 'conflict', fields: [{ field, message }] });
