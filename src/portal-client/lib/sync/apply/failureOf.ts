import type { PortalError, PortalErrorKind } from '../../errors/portalError.ts';

/** The failure of an action, for a result: its message has the rejected fields, because a result has no other place for them. */
export const failureOf = (
  error: PortalError,
): { readonly state: 'failed'; readonly kind: PortalErrorKind; readonly message: string } => {
  const { what } = error.explain('option');
  const fields = error.validationErrors
    .filter((one) => !what.includes(one.message.replace(/\.$/, '')))
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`));
  const rest = fields.length === 0 ? '' : ` ${fields.join('; ').replace(/\.$/, '')}.`;
  return { state: 'failed', kind: error.kind, message: `${what}${rest}` };
};
