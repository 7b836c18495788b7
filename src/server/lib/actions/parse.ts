// The default import: an unsupported Node version then fails with our message and not with a missing export.
import zlib, { type ZlibOptions } from 'node:zlib';
import { type ActionField, type ActionRow, type FlatActionRow, flattenRow } from '@vitrine/contract';
import type { NewDelivery, StoredDelivery } from './inbox.ts';

/** A note about an event for handlers; the event is handled anyway. */
export type ActionFlag =
  /** The same bytes arrived earlier; see `duplicateOf`. */
  | 'duplicate'
  /** `triggeredAt` is missing or more than 24 hours from the time of receipt. */
  | 'odd-time'
  /** A body parser consumed the original bytes. */
  | 'reserialized'
  /** Metadata that docs/interface.md#6.1 promises is missing. */
  | 'incomplete'
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
 * `TFlatRow` is the output of the route's schema for a flat row.
 */
export interface ActionEvent<TFlatRow = FlatActionRow> {
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
  readonly flatRows: readonly TFlatRow[];
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

/** A click has about eight levels, ten to twenty values for each point, and numbers of at most 38 digits. */
const [maxLevels, maxValues, maxDigits] = [100, 750_000, 1000];

/**
 * Why a JSON text is too much to parse, which could block or end the process: how deeply it is nested, how many values
 * it has, or the digits of a number. Reads each byte once.
 */
export const excessOf = (body: Uint8Array): string | undefined => {
  const text = Buffer.from(body).toString('latin1');
  // The first value of a list or an object has no comma before it; an empty one has no first value.
  let [levels, values, digits, isInString, isFirst] = [0, 0, 0, false, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isInString) {
      isInString = character !== '"';
      // An escaped quote does not end the string.
      if (character === '\\') at += 1;
      continue;
    }
    digits = character >= '0' && character <= '9' ? digits + 1 : 0;
    if (digits > maxDigits) return `has a number of more than ${maxDigits} digits`;
    if (character <= ' ') continue;
    const isStart = character === '[' || character === '{';
    const isEnd = character === ']' || character === '}';
    if (character === ',' || (isFirst && !isEnd)) values += 1;
    if (values > maxValues) return `has more than ${maxValues} values`;
    isFirst = isStart;
    if (isStart) levels += 1;
    if (levels > maxLevels) return `is nested more than ${maxLevels} levels deep`;
    if (isEnd) levels -= 1;
    isInString = character === '"';
  }
  return undefined;
};

/** The significant digits of a number, without sign, point, exponent and leading zeros. */
const digitsOf = (number: string): string =>
  number.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '');

/** Whether a double represents a JSON number exactly. Fractions may be rounded, as in the sender. */
const isKept = (value: number, source: string): boolean => {
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return true;
  if (!Number.isFinite(value) || /^-?\d+$/.test(source)) return false;
  const [sent, kept] = [digitsOf(source), digitsOf(String(value))];
  return sent.padEnd(kept.length, '0') === kept.padEnd(sent.length, '0');
};

/** A number that a double may change. An exponent counts only where a value starts: most GUIDs contain digits and an `e`. */
const mayChange = /\d{16}|(?:^|[:,[\s])-?\d[\d.]*[eE]/;

/** Strings, and the numbers that JSON does not have but some senders write. */
const stringOrNotFinite = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

/** Parses JSON; a number that a double would change, or that is not finite, becomes a string. */
const parseJson = (text: string): unknown => {
  try {
    return parseNumbers(text);
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error;
    return parseNumbers(
      text.replace(stringOrNotFinite, (found) => (found.startsWith('"') ? found : `"${found}"`)),
    );
  }
};

const parseNumbers = (text: string): unknown => {
  // A reviver takes four times as long.
  if (!mayChange.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) => {
    const { source } = context ?? {};
    return typeof value === 'number' && source !== undefined && !isKept(value, source) ? source : value;
  });
};

/** Maximum decompressed size of a stored body, in bytes. */
const maxBytes = 64 * 1024 * 1024;

/** Decodes bytes by the `charset` of their content type. Throws if they are not valid text. */
const decode = (bytes: Uint8Array, contentType = ''): string => {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (error) {
    // An unknown charset.
    if (error instanceof RangeError) return decode(bytes);
    const [before = ''] = new TextDecoder(charset).decode(bytes).split('\uFFFD');
    throw new Error(`has a byte at ${Buffer.byteLength(before)} that is not ${charset}`, { cause: error });
  }
};

/** Decompresses, checks and parses a stored body. Throws the reason if that is impossible. */
const readBody = (delivery: Body): unknown => {
  const bytes = decompress(delivery, maxBytes);
  if (bytes === undefined) throw new Error(`The decompressed body has more than ${maxBytes} bytes.`);
  const excess = excessOf(bytes);
  if (excess !== undefined) throw new Error(`The body ${excess}.`);
  const sent = `(${bytes.byteLength} bytes, content type ${delivery.contentType ?? 'unknown'})`;
  let text: string;
  try {
    text = decode(bytes, delivery.contentType);
  } catch (error) {
    throw new Error(`The body ${sent} ${(error as Error).message}.`, { cause: error });
  }
  try {
    return parseJson(text.replace(/[\0\s]+$/, ''));
  } catch {
    // The parser's own message may quote the body.
    throw new Error(`The body ${sent} is not JSON.`);
  }
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPlainValue = (value: unknown): value is string | number | boolean | null =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** A string or number as text; empty for anything else, whose `toString` cannot be trusted. */
const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const guid =
  /^(?:urn:uuid:)?[{(]?([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})[)}]?$/i;

/** A GUID in lower case with hyphens, from any notation; undefined for other text. */
export const guidOf = (text: string): string | undefined => {
  const parts = guid.exec(text.trim())?.slice(1);
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
const dayMs = 24 * 60 * 60 * 1000;
const promised = ['actionTriggeredAt', 'clientUrl', 'currentUser', 'reportName', 'tenancyName', 'visualName'];

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
  const triggeredAtMs = Date.parse(text('actionTriggeredAt'));
  const isUnparsed = parts.visuals === undefined || visuals.some((visual) => visual.isUnparsed);
  const flags: readonly (ActionFlag | false)[] = [
    delivery.duplicateOf !== undefined && 'duplicate',
    // Negated, so that an unreadable time counts as odd.
    !(Math.abs(triggeredAtMs - delivery.receivedAtMs) <= dayMs) && 'odd-time',
    delivery.isReserialized === true && 'reserialized',
    promised.some((name) => text(name) === '') && 'incomplete',
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
