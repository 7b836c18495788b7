// The default import: an unsupported Node version then fails with our message and not with a missing export.
import zlib from 'node:zlib';
import { type ActionField, type ActionRow, type FlatActionRow, flattenRow } from '@vitrine/contract';
import type { NewDelivery, StoredDelivery } from './inbox.ts';

/** The selection in one visual. */
export interface ActionVisual {
  /** Internal visual ID of the BI platform. */
  readonly visual: string;
  readonly rows: readonly ActionRow[];
}

/**
 * A viewer's click or selection in a visual, as a handler on the host's server receives it (docs/interface.md#6.1).
 */
export interface ActionEvent {
  /** ID of the delivery in the inbox. */
  readonly id: string;
  /** Item ID in the webhook's form: a GUID, in lower case with hyphens. */
  readonly reportId: string;
  readonly reportName: string;
  /** Internal visual ID of the BI platform. */
  readonly visual: string;
  /** When the viewer triggered it, as sent by the service: ISO 8601 UTC. */
  readonly triggeredAt: string;
  /** Internal user ID of the viewer, as sent by the service; `null` if missing. */
  readonly currentUser: number | string | null;
  readonly tenancyName: string;
  /** Base URL of the tenant. */
  readonly clientUrl: string;
  /** True if the viewer cleared the selection: every visual has `data: []` or `data: null`. */
  readonly isCleared: boolean;
  /** Every selected row of every visual. */
  readonly rows: readonly ActionRow[];
  /** The same rows, each as one plain object with the names of `flattenRow`: `{'Sales[Region]': 'North'}`. */
  readonly flatRows: readonly FlatActionRow[];
  /** The same rows by visual. */
  readonly visuals: readonly ActionVisual[];
  /** When the webhook arrived, in milliseconds since 1970. */
  readonly receivedAtMs: number;
  /** True if a part of the visual data could not be read; see `isUnparsed` of the rows, and `body`. */
  readonly isUnparsed: boolean;
  /** ID of the first delivery with the same bytes, if they arrived before; both are handled. */
  readonly duplicateOf?: string | undefined;
  /** The parsed original body, with formatted values and everything that this type omits. */
  readonly body: unknown;
  /** The stored bytes. */
  readonly raw: Uint8Array;
}

/** The result of parsing a stored delivery. */
export type ParsedAction =
  | { readonly isOk: true; readonly event: ActionEvent }
  | { readonly isOk: false; readonly reason: string };

type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a body is empty, as of a probe or a test button. */
export const isEmptyBody = (raw: Uint8Array): boolean =>
  raw.byteLength < 16 && /^\s*(?:\{\s*\}|\[\s*\]|null)?\s*$/.test(Buffer.from(raw).toString('latin1'));

/** A number that a double may change. An exponent counts only where a value starts: most GUIDs contain digits and an `e`. */
const mayChange = /\d{16}|(?:^|[:,[\s])-?\d[\d.]*[eE]/;

/** Keeps the text of a number beyond 2^53. */
const keepText = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER ? context?.source : value;

/** Parses JSON; a number beyond 2^53 becomes a string. A reviver takes nine times as long. */
const parseJson = (text: string): unknown => JSON.parse(text, mayChange.test(text) ? keepText : undefined);

/** Each value takes memory: 30,000 points with a column and a measure have 450,000. */
const maxValues = 750_000;

/** What is wrong with a body, in words of ours: those of a parser may quote it. */
class BodyError extends Error {}

/** Decodes bytes by the `charset` of their content type, in UTF-8 without a known one. Throws if they are not valid text. */
const decode = (bytes: Uint8Array, charset = 'utf-8'): string => {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return decode(bytes);
    const [before = ''] = new TextDecoder(charset).decode(bytes).split('\uFFFD');
    throw new BodyError(`has a byte at ${Buffer.byteLength(before)} that is not ${charset}`, {
      cause: error,
    });
  }
};

/** By the first byte of what a gateway has compressed; no JSON begins with one of them. */
const unpackers = new Map<
  number | undefined,
  (raw: Uint8Array, limit: { readonly maxOutputLength: number }) => Uint8Array
>([
  [0x1f, zlib.gunzipSync],
  [0x28, zlib.zstdDecompressSync],
  [0x78, zlib.inflateSync],
]);
/** A body of this size has too many values, or few that are long. */
const maxOutputLength = 32 * 1024 * 1024;

const unpack = (raw: Uint8Array): Uint8Array => {
  try {
    return unpackers.get(raw[0])?.(raw, { maxOutputLength }) ?? raw;
  } catch (cause) {
    throw new BodyError('looks compressed, and does not decompress to at most 32 MiB', { cause });
  }
};

/** Decodes and parses a stored body. Throws the reason if that is impossible. */
const readBody = ({ raw, contentType = 'unknown' }: NewDelivery): unknown => {
  try {
    const bytes = unpack(raw);
    let values = 1;
    for (const byte of bytes) if (byte === 0x2c) values += 1;
    if (values > maxValues) throw new BodyError(`has more than ${maxValues} values`);
    const text = decode(bytes, /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]);
    return parseJson(text.replace(/[\0\s]+$/, ''));
  } catch (error) {
    const problem = error instanceof BodyError ? error.message : 'is not JSON';
    const sent = `(${raw.byteLength} bytes, content type ${contentType})`;
    throw new Error(`The body ${sent} ${problem}.`, { cause: error });
  }
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPlainValue = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/**
 * A string or number as text, up to a length that messages and caches can repeat; empty for anything else, whose `toString`
 * cannot be trusted.
 */
const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 256) : '';

/** A GUID in lower case with hyphens, from any notation, also `{0x…,0x…}`; undefined for other text. */
export const guidOf = (text: string): string | undefined => {
  const digits = text.trim().replaceAll(/^urn:uuid:|0x|[-{}(),]/gi, '');
  const parts = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i.exec(digits)?.slice(1);
  return parts?.join('-').toLowerCase();
};

const looksLikeMetadata = (value: unknown): value is JsonObject =>
  isObject(value) && (typeof value['reportId'] === 'string' || typeof value['reportId'] === 'number');

/** Invalid entries among valid ones are flagged later; an empty array could be anything. */
const looksLikeVisuals = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) &&
  value.some((entry) => isObject(entry) && (entry['data'] !== undefined || entry['visual'] !== undefined));

/**
 * Finds metadata and visual data. The interface names the two parts but not their positions (gaps: webhook body):
 * `{metadata, visualData}`, the array under any name, metadata flat at the top, or `[metadata, ...visuals]`. `visuals` is
 * undefined if there is no visual data, which differs from an empty selection.
 */
const findParts = (body: unknown) => {
  const named = isObject(body) ? body : {};
  const parts = Object.values(body ?? {});
  const metadata = [named['metadata'], body, ...parts].find(looksLikeMetadata);
  const { visualData } = named;
  const lists = [Array.isArray(body) ? body.slice(1) : undefined, ...parts];
  return { metadata, visuals: Array.isArray(visualData) ? visualData : lists.find(looksLikeVisuals) };
};

/**
 * Reads one entry of `identity` or `values`. A value that is not plain becomes JSON text, and so does a selection in other
 * words than `equals`, such as `between`.
 */
const parseField = (entry: unknown, valueName: 'equals' | 'value'): ActionField => {
  const {
    target,
    formattedValue,
    [valueName]: plain,
    ...others
  }: JsonObject = isObject(entry) ? entry : { [valueName]: entry };
  const value = plain === undefined && Object.keys(others).length > 0 ? others : (plain ?? null);
  const {
    hierarchyLevel: level,
    aggregationFunction: aggregation,
    ...names
  }: JsonObject = isObject(target) ? target : {};
  const { table, column, measure, hierarchy } = names;
  const given = Object.entries({ table, column, measure, hierarchy, level, aggregation });
  const named = given.filter(([, name]) => name !== undefined && name !== null);
  const texts = Object.fromEntries(named.filter(([, name]) => typeof name === 'string'));
  const isNamed = 'column' in texts || 'measure' in texts || 'level' in texts;
  const isParsed = isNamed && isPlainValue(value) && named.length === Object.keys(texts).length;
  return {
    ...texts,
    value: isPlainValue(value) ? value : JSON.stringify(value),
    ...(!isParsed && { isUnparsed: true }),
    ...(typeof formattedValue === 'string' && { formattedValue }),
  };
};

const parseFields = (entries: unknown, valueName: 'equals' | 'value'): readonly ActionField[] =>
  [entries ?? []].flat().map((entry) => parseField(entry, valueName));

/** Reads one data point. */
const parseRow = (point: unknown): ActionRow => {
  const { identity, values }: JsonObject = isObject(point) ? point : {};
  const row = { identity: parseFields(identity, 'equals'), values: parseFields(values, 'value') };
  const fields = [...row.identity, ...row.values];
  const isUnparsed = fields.length === 0 || fields.some((field) => field.isUnparsed);
  return isUnparsed ? { ...row, isUnparsed } : row;
};

/** Reads the selection in one visual; `name` is the fallback for its ID. It is cleared if `data` is empty or `null`. */
const parseVisual = (entry: unknown, name: string) => {
  const { data, visual }: JsonObject = isObject(entry) ? entry : {};
  const points: unknown = data === null ? [] : data;
  const rows = Array.isArray(points) ? points.map(parseRow) : undefined;
  return { visual: plainText(visual) || name, rows };
};

const parseEvent = (delivery: StoredDelivery): ActionEvent => {
  const { id, receivedAtMs, duplicateOf, raw } = delivery;
  const body = readBody(delivery);
  const parts = findParts(body);
  const { metadata } = parts;
  if (!metadata) throw new Error('The body has no metadata with a reportId.');
  const text = (name: string): string => plainText(metadata[name]);
  const visualName = text('visualName');
  const found = parts.visuals?.map((entry) => parseVisual(entry, visualName));
  const visuals = (found ?? []).map(({ visual, rows = [] }) => ({ visual, rows }));
  const rows = visuals.flatMap((visual) => visual.rows);
  const isRead = found?.every((visual) => visual.rows !== undefined) === true;
  const { currentUser } = metadata;
  let flatRows: readonly FlatActionRow[] | undefined;
  // Frozen, so that a handler cannot change who gets the event.
  return Object.freeze({
    id,
    reportId: guidOf(text('reportId')) ?? text('reportId'),
    reportName: text('reportName'),
    visual: visualName || (visuals[0]?.visual ?? ''),
    triggeredAt: text('actionTriggeredAt'),
    currentUser: typeof currentUser === 'number' ? currentUser : text('currentUser') || null,
    tenancyName: text('tenancyName'),
    clientUrl: text('clientUrl'),
    isCleared: isRead && rows.length === 0,
    rows,
    get flatRows() {
      return (flatRows ??= rows.map(flattenRow));
    },
    visuals,
    receivedAtMs,
    isUnparsed: !isRead || rows.some((row) => row.isUnparsed),
    duplicateOf,
    body,
    raw,
  });
};

/** Parses a stored delivery (docs/interface.md#6.1), with the variants that the interface leaves open. Never throws. */
export const parseAction = (delivery: StoredDelivery): ParsedAction => {
  try {
    return { isOk: true, event: parseEvent(delivery) };
  } catch (error) {
    return { isOk: false, reason: (error as Error).message };
  }
};
