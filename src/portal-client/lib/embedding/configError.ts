import { PortalError } from '../errors/portalError.ts';

/** An option that cannot be used. `seen` must never be a secret. */
export const configError = (code: string, message: string): PortalError =>
  new PortalError(message, { kind: 'config', code });

/** Names the type of a value for a message, so that the value itself need not be shown. */
export const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value === '') return 'an empty text';
  return typeof value === 'undefined' ? 'nothing' : `a value of type ${typeof value}`;
};
