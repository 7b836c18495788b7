// The default import: an unsupported Node version then fails with our message and not with a missing export.
import zlib, { type ZlibOptions } from 'node:zlib';
import { type ActionField, type ActionRow, type FlatActionRow, flattenRow } from '@vitrine/contract';
import type { NewDelivery, StoredDelivery } from './inbox.ts';

/** A note about an event for handlers; the event is handled anyway. */
export type ActionFlag =
  /** The same bytes arrived earlier; see `duplicateOf`. */
  | 'duplicate'
  /** A part of the visual data could not be read; see `isUnparsed` of the rows, and `body`. */
  | 'unparsed-data';

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
  readonly flags: readonly ActionFlag[];
  /** ID of the first delivery with the same bytes. */
  readonly duplicateOf?: string;
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
type Body = Pick<NewDelivery, 'raw' | 'encoding' | 'contentType'>;
type Unpack = (raw: Uint8Array, limit: Pick<ZlibOptions, 'maxOutputLength'>) => Uint8Array;

/** Decoders of each `Content-Encoding`. Some senders of `deflate` omit the zlib header, which browsers also accept. */
const unpackers: ReadonlyMap<string, readonly Unpack[]> = new Map([
  ['gzip', [zlib.gunzipSync]],
  ['x-gzip', [zlib.gunzipSync]],
  ['deflate', [zlib.inflateSync, zlib.inflateRawSync]],
  ['br', [zlib.brotliDecompressSync]],
  ['zstd', [zlib.zstdDecompressSync]],
  // A proxy may have dropped the header.
  ['', [zlib.gunzipSync]],
]);

/**
 * Decompresses a body; `undefined` if the result has more bytes than the limit. A body that no decoder can read stays
 * unchanged: a proxy may have decompressed it and kept the header.
 */
export const decompress = ({ raw, encoding }: Body, maxOutputLength: number): Uint8Array | undefined => {
  for (const unpack of unpackers.get((encoding ?? '').trim().toLowerCase()) ?? [])
    try {
      return unpack(raw, { maxOutputLength });
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
        return undefined;
    }
  return raw;
};

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

/** Maximum decompressed size of a stored body, in bytes. */
const maxBytes = 64 * 1024 * 1024;
/** Each value takes memory: 30,000 points with a column and a measure have 450,000. */
const maxValues = 750_000;

/** Decodes bytes by the `charset` of their content type, in UTF-8 without a known one. Throws if they are not valid text. */
const decode = (bytes: Uint8Array, charset = 'utf-8'): string => {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return decode(bytes);
    const [before = ''] = new TextDecoder(charset).decode(bytes).split('\uFFFD');
    throw new Error(`has a byte at ${Buffer.byteLength(before)} that is not ${charset}`, { cause: error });
  }
};

/** Decompresses, decodes and parses a stored body. Throws the reason if that is impossible. */
const readBody = (delivery: Body): unknown => {
  const bytes = decompress(delivery, maxBytes);
  if (bytes === undefined) throw new Error(`The decompressed body has more than ${maxBytes} bytes.`);
  let values = 1;
  for (const byte of bytes) if (byte === 0x2c) values += 1;
  if (values > maxValues) throw new Error(`The body has more than ${maxValues} values.`);
  const { contentType = 'unknown' } = delivery;
  let problem = 'is not JSON';
  try {
    const text = decode(bytes, /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]);
    return parseJson(text.replace(/[\0\s]+$/, ''));
  } catch (error) {
    // The message of the JSON parser may quote the body.
    if (error instanceof Error && error.cause !== undefined) problem = error.message;
    const sent = `(${bytes.byteLength} bytes, content type ${contentType})`;
    throw new Error(`The body ${sent} ${problem}.`, { cause: error });
  }
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPlainValue = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** A string or number as text; empty for anything else, whose `toString` cannot be trusted. */
const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

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
  if (Array.isArray(body)) {
    const [metadata, ...rest] = body;
    return looksLikeMetadata(metadata)
      ? { metadata, visuals: [rest, ...rest].find(looksLikeVisuals) }
      : undefined;
  }
  if (!isObject(body)) return undefined;
  const parts = Object.values(body);
  const metadata = [body['metadata'], body, ...parts].find(looksLikeMetadata);
  if (metadata === undefined) return undefined;
  const named: unknown = body['visualData'];
  if (Array.isArray(named)) return { metadata, visuals: named };
  const [longest] = parts.filter(looksLikeVisuals).sort((a, b) => b.length - a.length);
  return { metadata, visuals: longest };
};

/** Properties of a field by their names in a target; if two names mean one property, the last counts. */
const targetNames = [
  ['table', 'table'],
  ['column', 'column'],
  ['measure', 'measure'],
  ['hierarchy', 'hierarchy'],
  ['level', 'level'],
  ['hierarchyLevel', 'level'],
  ['aggregationFunction', 'aggregation'],
] as const;

/**
 * Reads one entry of `identity` or `values`. A value that is not plain becomes JSON text, and so does a selection in other
 * words than `equals`, such as `between`.
 */
const parseField = (entry: unknown, valueName: 'equals' | 'value'): ActionField | undefined => {
  if (!isObject(entry)) return undefined;
  const { target: given, formattedValue, [valueName]: plain, ...others } = entry;
  const target = isObject(given) ? given : {};
  const named = targetNames
    .map(([from, to]) => [to, target[from] ?? undefined] as const)
    .filter(([, name]) => name !== undefined);
  const texts = named.filter(([, name]) => typeof name === 'string');
  const isNamed = texts.some(([to]) => to === 'column' || to === 'measure' || to === 'level');
  const isElsewhere = valueName === 'equals' && plain === undefined && Object.keys(others).length > 0;
  const value = isElsewhere ? others : (plain ?? null);
  const isParsed = isPlainValue(value) && isNamed && texts.length === named.length;
  return {
    ...Object.fromEntries(texts),
    value: isPlainValue(value) ? value : JSON.stringify(value),
    ...(!isParsed && { isUnparsed: true }),
    ...(typeof formattedValue === 'string' && { formattedValue }),
  };
};

const parseFields = (entries: unknown, valueName: 'equals' | 'value') => {
  const isAbsent = entries === undefined || entries === null;
  const parsed = Array.isArray(entries) ? entries.map((entry) => parseField(entry, valueName)) : [];
  const fields = parsed.filter((field) => field !== undefined);
  const isWhole = fields.length === parsed.length && fields.every(({ isUnparsed }) => !isUnparsed);
  return { fields, isComplete: isWhole && (isAbsent || Array.isArray(entries)) };
};

/** Reads one data point. Unreadable parts are omitted and flagged in the row. */
const parseRow = (point: unknown): ActionRow => {
  if (!isObject(point)) return { identity: [], values: [], isUnparsed: true };
  const identity = parseFields(point['identity'], 'equals');
  const values = parseFields(point['values'], 'value');
  const isNamed = identity.fields.length + values.fields.length > 0;
  return {
    identity: identity.fields,
    values: values.fields,
    ...(!(identity.isComplete && values.isComplete && isNamed) && { isUnparsed: true }),
  };
};

/** Reads the selection in one visual; `name` is the fallback for its ID. It is cleared if `data` is empty or `null`. */
const parseVisual = (entry: unknown, name: string) => {
  const { data, visual }: JsonObject = isObject(entry) ? entry : {};
  const rows = Array.isArray(data) ? data.map(parseRow) : [];
  const isKnown = data === null || Array.isArray(data);
  return {
    visual: plainText(visual) || name,
    rows,
    isCleared: isKnown && rows.length === 0,
    isUnparsed: !isKnown || rows.some(({ isUnparsed }) => isUnparsed),
  };
};

/** IDs appear in messages and are the keys of caches. */
const maxIdLength = 256;

const parseEvent = (delivery: StoredDelivery): ActionEvent => {
  const body = readBody(delivery);
  const parts = findParts(body);
  if (!parts) throw new Error('The body has no metadata with a reportId.');
  const text = (name: string): string => plainText(parts.metadata[name]);
  const long = ['reportId', 'currentUser'].find((name) => text(name).length > maxIdLength);
  if (long !== undefined)
    throw new Error(`The ${long} of the metadata has more than ${maxIdLength} characters.`);
  const visualName = text('visualName');
  const visuals = (parts.visuals ?? []).map((entry) => parseVisual(entry, visualName));
  const rows = visuals.flatMap((visual) => visual.rows);
  const { currentUser } = parts.metadata;
  const isUnparsed = parts.visuals === undefined || visuals.some((visual) => visual.isUnparsed);
  const flags: readonly (ActionFlag | false)[] = [
    delivery.duplicateOf !== undefined && 'duplicate',
    isUnparsed && 'unparsed-data',
  ];
  return {
    id: delivery.id,
    reportId: guidOf(text('reportId')) ?? text('reportId'),
    reportName: text('reportName'),
    visual: visualName || (visuals[0]?.visual ?? ''),
    triggeredAt: text('actionTriggeredAt'),
    currentUser: typeof currentUser === 'number' || typeof currentUser === 'string' ? currentUser : null,
    tenancyName: text('tenancyName'),
    clientUrl: text('clientUrl'),
    isCleared: parts.visuals !== undefined && visuals.every(({ isCleared }) => isCleared),
    rows,
    flatRows: rows.map(flattenRow),
    visuals: visuals.map(({ visual, rows: own }) => ({ visual, rows: own })),
    receivedAtMs: delivery.receivedAtMs,
    flags: flags.filter((flag) => flag !== false),
    ...(delivery.duplicateOf !== undefined && { duplicateOf: delivery.duplicateOf }),
    body,
    raw: delivery.raw,
  };
};

/** Parses a stored delivery (docs/interface.md#6.1), with the variants that the interface leaves open. Never throws. */
export const parseAction = (delivery: StoredDelivery): ParsedAction => {
  try {
    return { isOk: true, event: parseEvent(delivery) };
  } catch (error) {
    return { isOk: false, reason: (error as Error).message };
  }
};
