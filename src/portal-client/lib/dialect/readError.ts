import type { ValidationError } from '../errors/portalError.ts';
import { asBoolean, asFilledText, firstMember, isRecord, type JsonRecord, member } from './jsonValues.ts';

/** The content of an error body, in any dialect. */
export interface ErrorReading {
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly validationErrors: readonly ValidationError[];
  readonly requestId: string | undefined;
  /** An envelope with `success: false`: the service decided, so a retry never helps. */
  readonly isRefusal: boolean;
  readonly isUnauthorized: boolean;
}

const nothing: ErrorReading = {
  code: undefined,
  message: undefined,
  validationErrors: [],
  requestId: undefined,
  isRefusal: false,
  isUnauthorized: false,
};

/**
 * Reads `{error: {…}}`, flat `{code, message}`, the envelope, problem+json and `{statusCode, message}`. Anything else
 * (HTML, text, empty) gives an empty reading.
 */
export const readError = (body: unknown): ErrorReading => {
  if (!isRecord(body)) return nothing;
  const error = member(body, 'error');
  const inner = isRecord(error) ? error : body;
  return {
    code: firstMember(inner, ['code', 'errorCode', 'type', 'statusCode'], asFilledText),
    message:
      firstMember(inner, ['message', 'detail', 'title', 'error_description'], asFilledText) ??
      asFilledText(error),
    validationErrors: readValidationErrors(inner),
    requestId: firstMember(inner, ['requestId', 'traceId', 'correlationId'], asFilledText),
    isRefusal: member(body, 'success') === false,
    isUnauthorized: asBoolean(member(body, 'unAuthorizedRequest')) === true,
  };
};

const listNames = ['validationErrors', 'errors', 'details', 'fieldErrors', 'invalid-params'];
const fieldNames = ['field', 'path', 'member', 'name', 'pointer', 'property'];

const readValidationErrors = (error: JsonRecord): readonly ValidationError[] => {
  for (const name of listNames) {
    const list = member(error, name);
    if (Array.isArray(list)) return list.slice(0, 100).flatMap(readEntry);
    // ASP.NET's problem details: {errors: {email: ["is not valid"]}}
    if (isRecord(list) && name === 'errors') return readEntriesByField(list);
  }
  return [];
};

const readEntry = (entry: unknown): readonly ValidationError[] => {
  if (!isRecord(entry)) {
    const message = asFilledText(entry);
    return message === undefined ? [] : [{ field: '', message }];
  }
  const message =
    firstMember(entry, ['message', 'reason', 'detail', 'error'], asFilledText) ?? 'is not valid';
  const members = member(entry, 'members');
  const fields = Array.isArray(members)
    ? members.flatMap((field) => asFilledText(field) ?? [])
    : [firstMember(entry, fieldNames, asFilledText) ?? ''];
  return (fields.length === 0 ? [''] : fields).map((field) => ({ field, message }));
};

const readEntriesByField = (fields: JsonRecord): readonly ValidationError[] =>
  Object.entries(fields)
    .slice(0, 100)
    .flatMap(([field, messages]) =>
      (Array.isArray(messages) ? messages : [messages])
        .slice(0, 20)
        .flatMap((message) => asFilledText(message) ?? [])
        .map((message) => ({ field, message })),
    );
