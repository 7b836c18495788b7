import { isRecord, member } from './jsonValues.ts';

/**
 * Unwraps a success body: the envelope `{result, success, …}` or `{data}`. A bare body is returned unchanged. Envelopes
 * with `success: false` never get here.
 */
export const unwrap = (body: unknown): unknown => {
  if (!isRecord(body)) return body;
  if (isEnvelope(body)) return unwrapData(member(body, 'result'));
  return unwrapData(body);
};

/** Whether a body is the envelope of `/api/services/app/…`. */
export const isEnvelope = (body: unknown): boolean =>
  isRecord(body) &&
  Object.hasOwn(body, 'result') &&
  (Object.hasOwn(body, '__abp') || typeof member(body, 'success') === 'boolean');

const unwrapData = (body: unknown): unknown => {
  if (!isRecord(body) || Object.hasOwn(body, 'id') || Object.hasOwn(body, 'userId')) return body;
  const data = member(body, 'data');
  // {data: {…}} wraps a resource; {data: [...]} is a list and is read as one.
  return isRecord(data) ? data : body;
};
