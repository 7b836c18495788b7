import { invalidField, PortalFailure } from './portalFailure.ts';
import type { PortalRequest } from './portalRequest.ts';

/** Maximum nesting depth of a body; documented bodies need less than eight. */
const maxDepth = 32;

const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
};

/** Text that databases cannot store: Postgres rejects NUL, and both change lone surrogates. */
export const flawOf = (text: string): string | undefined => {
  if (text.includes('\0')) return 'a NUL character';
  return text.isWellFormed() ? undefined : 'half of a surrogate pair';
};

/** Rejects text that one of the databases cannot store, by name. */
const refuseFlawed = (value: unknown, path = ''): unknown => {
  const flaw = typeof value === 'string' ? flawOf(value) : undefined;
  if (flaw !== undefined) throw invalidField(path || 'body', `holds ${flaw}`);
  if (Array.isArray(value))
    for (const [place, part] of value.entries()) refuseFlawed(part, `${path}[${place}]`);
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) {
      const flawInName = flawOf(name);
      if (flawInName !== undefined) throw invalidField(path || 'body', `contains ${flawInName} in a name`);
      refuseFlawed(part, path === '' ? name : `${path}.${name}`);
    }
  return value;
};

const decoder = new TextDecoder('utf-8', { fatal: true });

const decode = (body: Buffer): string => {
  try {
    return decoder.decode(body);
  } catch (cause) {
    throw new PortalFailure('body: is not UTF-8 text.', {
      status: 400,
      code: 'invalid_json',
      fields: [{ field: 'body', message: 'is not UTF-8 text' }],
      cause,
    });
  }
};

/**
 * Reads a JSON body. Rejects other media types, other encodings, invalid JSON and excessive depth, each with its own
 * message.
 */
export const readJsonBody = (request: PortalRequest): unknown => {
  const mediaType = request.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (mediaType !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(mediaType))
    throw new PortalFailure('Content-Type: must be application/json.', {
      status: 415,
      code: 'unsupported_media_type',
      fields: [{ field: 'Content-Type', message: 'must be application/json' }],
    });
  const encoding = request.header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity')
    throw new PortalFailure('Content-Encoding: compressed bodies are not supported.', {
      status: 415,
      code: 'unsupported_media_type',
      fields: [{ field: 'Content-Encoding', message: 'compressed bodies are not supported' }],
    });
  const text = decode(request.body);
  if (isTooDeep(text)) throw invalidField('body', `is nested deeper than ${maxDepth} levels`);
  try {
    return refuseFlawed(JSON.parse(text) as unknown);
  } catch (cause) {
    if (cause instanceof PortalFailure) throw cause;
    throw new PortalFailure('body: is not JSON.', {
      status: 400,
      code: 'invalid_json',
      fields: [{ field: 'body', message: 'is not JSON' }],
      cause,
    });
  }
};
