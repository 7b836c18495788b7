import { PortalError } from '../errors/portalError.ts';

/**
 * Template tag for paths: every value becomes one percent-encoded segment. Rejects an empty value, `.` and `..`, which
 * would change the path.
 */
export const path = (parts: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  parts.reduce((text, part, index) => `${text}${encodeSegment(values[index - 1])}${part}`);

const encodeSegment = (value: string | number | undefined): string => {
  const text = String(value ?? '');
  if (text === '' || text === '.' || text === '..')
    throw new PortalError(
      `The ID is ${text === '' ? 'empty' : `"${text}", which no resource has`}. Pass the ID that the portal returned.`,
      { kind: 'config', code: 'bad_identifier' },
    );
  return encodeURIComponent(text.toWellFormed());
};
