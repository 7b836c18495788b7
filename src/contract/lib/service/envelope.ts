/** One named field that failed validation, in the envelope dialect. */
export interface EnvelopeValidationError {
  readonly message: string;
  readonly members: readonly string[];
}

/** `error` of an {@link Envelope}. */
export interface EnvelopeError {
  readonly code: number;
  readonly message: string;
  readonly details: string | null;
  readonly validationErrors: readonly EnvelopeValidationError[] | null;
}

/** The response format of `/api/services/app/...`: ASP.NET Boilerplate's envelope around every result. */
export interface Envelope<TResult> {
  readonly result: TResult | null;
  readonly targetUrl: string | null;
  readonly success: boolean;
  readonly error: EnvelopeError | null;
  readonly unAuthorizedRequest: boolean;
  readonly __abp: true;
}
