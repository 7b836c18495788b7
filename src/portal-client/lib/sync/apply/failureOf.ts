import type { PortalError, PortalErrorKind } from '../../errors/portalError.ts';

/** The failure of an action, for a result: its message has the rejected fields, because a result has no other place for them. */
export const failureOf = ({
  kind,
  message,
  hint = '',
  validationErrors,
}: PortalError): { readonly state: 'failed'; readonly kind: PortalErrorKind; readonly message: string } => {
  if (kind !== 'invalid' || !message.endsWith(hint)) return { state: 'failed', kind, message };
  const sentence = message.slice(0, message.length - hint.length).trimEnd();
  const fields = validationErrors
    .filter((error) => !sentence.includes(error.message.replace(/\.$/, '')))
    .map(({ field, message: problem }) => (field === '' ? problem : `${field}: ${problem}`));
  const rest = fields.length === 0 ? '' : ` ${fields.join('; ').replace(/\.$/, '')}.`;
  return { state: 'failed', kind, message: `${sentence}${rest}` };
};
