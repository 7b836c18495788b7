import { fieldName, invalidField, refusedField } from './portalFailure.ts';
import type { PortalRequest } from './portalRequest.ts';

/** Maximum nesting depth of a body; documented bodies need less than eight. */
const maxDepth = 32;

/** A place in a value that no database stores, or where it is nested too deep. */
interface Flaw {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What is wrong with a text: Postgres rejects NUL, and both databases change lone surrogates. */
const flawOf = (text: string): string | undefined => {
  if (text.includes('\0')) return 'a NUL character';
  return text.isWellFormed() ? undefined : 'half of a surrogate pair';
};

/** Finds the flaws of a value, in its order. */
export function* findFlaws(value: unknown, path: Flaw['path'] = []): Generator<Flaw> {
  const flaw = typeof value === 'string' ? flawOf(value) : undefined;
  if (flaw !== undefined) yield { path, message: `holds ${flaw}` };
  if (typeof value !== 'object' || value === null) return;
  if (path.length === maxDepth)
    return yield { path: [], message: `is nested deeper than ${maxDepth} levels` };
  for (const [name, part] of Object.entries(value)) {
    const flawInName = flawOf(name);
    if (flawInName !== undefined) yield { path, message: `contains ${flawInName} in a name` };
    yield* findFlaws(part, [...path, Array.isArray(value) ? Number(name) : name]);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** What `read` makes of the body; 400 if it throws. */
const tryTo = <TResult>(read: () => TResult, message: string): TResult => {
  try {
    return read();
  } catch (cause) {
    throw refusedField(400, 'invalid_json', { field: 'body', message }, { cause });
  }
};

const unsupported = (field: string, message: string) =>
  refusedField(415, 'unsupported_media_type', { field, message });

/**
 * Reads a JSON body. Rejects other media types, other encodings, invalid JSON and excessive depth, each with its own
 * message.
 */
export const readJsonBody = (request: PortalRequest): unknown => {
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(mediaType))
    throw unsupported('Content-Type', 'must be application/json');
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw unsupported('Content-Encoding', 'compressed bodies are not supported');
  const text = tryTo(() => decoder.decode(request.body), 'is not UTF-8 text');
  const value = tryTo(() => JSON.parse(text) as unknown, 'is not JSON');
  const [flaw] = findFlaws(value);
  if (flaw !== undefined) throw invalidField(fieldName(flaw.path) || 'body', flaw.message);
  return value;
};
