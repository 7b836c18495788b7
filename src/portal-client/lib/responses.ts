import { kindOf } from '@vitrine/contract/service';
import { type BodyKind, type CallStats, type CallWords, configError, PortalError } from './errors.ts';
import { asCount, firstMember, isRecord, member } from './json.ts';

/** A response of a service, for the option `adapt`. */
export interface AdaptableResponse {
  readonly method: string;
  /** Path without its query, as in `/v1/users`. */
  readonly path: string;
  readonly status: number;
  /** The JSON of the body; its text if it is not JSON; undefined if it is empty. */
  readonly body: unknown;
}

/** Returns the body of a response in a usual shape: unchanged if it has one. */
export type Adapt = (response: AdaptableResponse) => unknown;

/** The body of a response: its JSON, undefined if it is empty or not JSON, and its kind. */
export type ParsedBody = Readonly<ReturnType<typeof parseJson>>;

/** Parses a body, and lets `adapt` change it; anything but JSON has only its kind. */
export const parseBody = (
  text: string,
  contentType: string | undefined,
  adapt: Adapt | undefined,
  response: Omit<AdaptableResponse, 'body'>,
): ParsedBody => {
  const parsed = parseJson(text, contentType);
  if (adapt === undefined) return parsed;
  const body = parsed.kind === 'html' || parsed.kind === 'text' ? text : parsed.value;
  let value: unknown;
  try {
    value = adapt({ ...response, body });
  } catch {
    // The host's error may contain anything, even a key, so it is not included.
    throw configError(
      'adapt_failed',
      `The adapt function failed for ${response.method} ${response.path} (status ${response.status}). Check that function; its error is not shown here.`,
    );
  }
  return value === body ? parsed : { value, kind: jsonKind(value) };
};

/** Keeps the digits of an ID beyond 2^53: rounded, it is the ID of another row. */
const keepDigits = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? context?.source : value;

const parseJson = (text: string, contentType = ''): { value: unknown; kind: BodyKind } => {
  if (text.trim() === '') return { value: undefined, kind: 'empty' };
  try {
    // A reviver takes nine times as long.
    const value: unknown = JSON.parse(text, /\d{16}/.test(text) ? keepDigits : undefined);
    return { value, kind: jsonKind(value) };
  } catch {
    const isPage = contentType.includes('html') || /^\s*<(?!\?xml)/i.test(text);
    return { value: undefined, kind: isPage ? 'html' : 'text' };
  }
};

const jsonKind = (value: unknown): BodyKind => {
  if (value === undefined) return 'empty';
  return isEnvelope(value) ? 'envelope' : 'json';
};

/** Whether a body is the envelope of `/api/services/app/…`. */
export const isEnvelope = (body: unknown): boolean =>
  isRecord(body) &&
  Object.hasOwn(body, 'result') &&
  (Object.hasOwn(body, '__abp') || typeof member(body, 'success') === 'boolean');

/** The content of a success body: bare, or in an envelope. Envelopes with `success: false` never get here. */
export const unwrap = (body: unknown): unknown =>
  isRecord(body) && isEnvelope(body) ? member(body, 'result') : body;

/** Reads a list: an array, or `{items}` with `totalCount` or `total`; undefined for anything else. */
export const readList = (body: unknown) => {
  const list = unwrap(body);
  const page = isRecord(list) ? list : { items: list };
  const rows = member(page, 'items');
  // `Array.isArray` gives `any[]`.
  const all: readonly unknown[] | undefined = Array.isArray(rows) ? rows : undefined;
  return all && { rows: all, total: firstMember(page, ['totalCount', 'total'], asCount) };
};

/** The error of a successful response that cannot be read. */
export const unreadable = (
  sentence: string,
  code: string,
  body: unknown,
  { stats, words }: { readonly stats: CallStats; readonly words: CallWords },
): PortalError =>
  new PortalError(
    `${stats.method} ${stats.path} ${sentence}`,
    {
      kind: 'invalid_response',
      code,
      stats,
      failure: { code: 'unknown_shape', found: shapeOf(body, words.redact) },
    },
    { showsCheck: words.label !== undefined },
  );

/** The shape of a body: the names of its members, never values. Deeper ones can be seen in `adapt`. */
export const shapeOf = (body: unknown, redact: CallWords['redact']): string => {
  if (!isRecord(body)) return kindOf(body);
  const names = Object.keys(body).slice(0, 12);
  return `{ ${names.map((name) => redact(name.slice(0, 1000)).slice(0, 40)).join(', ')} }`;
};
