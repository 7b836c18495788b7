import { isPortalError, type PortalError } from '@vitrine/portal-client';
import { plainText } from './text.ts';

/** The address of the portal, and where it came from. */
export interface BaseUrl {
  readonly url: string;
  readonly name: '--base-url' | 'VITRINE_BASE_URL' | 'VITRINE_API_BASE_URL';
}

/**
 * An error of the portal in terms of the command line: the message, one line for each rejected field, and the request
 * ID. Nothing is said twice: the portal's own message often repeats the fields.
 */
export const portalErrorText = (error: PortalError, baseUrl?: BaseUrl): string => {
  const { summary, check } = error.explain('flag', baseUrl && { baseUrl: baseUrl.name });
  const { said, stats, validationErrors: fields } = error;
  const isRepeated =
    fields.length > 0 && fields.every(({ message }) => said?.includes(message.replace(/\.$/, '')));
  const words = said === undefined || isRepeated ? '' : `It said: "${said}".`;
  return [
    [summary, words, adviceFor(error, check, baseUrl)].filter((text) => text !== '').join(' '),
    ...fields.map(({ field, message }) => `  ${field === '' ? '·' : `${field}:`} ${message}`),
    ...(stats?.requestId === undefined ? [] : [`  request ${stats.requestId}`]),
  ]
    .map((line) => plainText(line))
    .join('\n');
};

const adviceFor = (error: PortalError, check: string, baseUrl: BaseUrl | undefined): string => {
  const { kind, stats } = error;
  // The lines below name the fields.
  if (kind === 'invalid') return '';
  if (baseUrl === undefined) return check;
  const { origin, pathname } = new URL(baseUrl.url);
  if (kind === 'network' || kind === 'timeout')
    return `${check} The address was ${origin}, from ${baseUrl.name}.`;
  return stats !== undefined && isWrongPath(error)
    ? `The address was ${origin}${pathname.replace(/\/+$/, '')}${stats.path}: check ${baseUrl.name}.`
    : check;
};

/** Whether a 404 is about the address, and not about a resource with an ID. */
const isWrongPath = ({ status, code, stats }: PortalError): boolean =>
  status === 404 &&
  (code === 'route_not_found' ||
    !['json', 'envelope'].includes(stats?.body ?? 'json') ||
    (stats?.method === 'GET' && /^\/v1\/[^/]+$/.test(stats.path)));

/** Formats an error for display: the message, the rejected fields, the request ID. */
export const describeError = (error: unknown): string =>
  isPortalError(error)
    ? portalErrorText(error)
    : plainText(error instanceof Error ? error.message : 'The command failed.', { keepLines: true });
