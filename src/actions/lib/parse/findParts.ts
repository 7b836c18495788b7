import { isObject, type JsonObject } from './plainChecks.ts';

/** The two parts of a webhook body, wherever they were. */
export interface BodyParts {
  readonly metadata: JsonObject;
  readonly visuals: readonly unknown[];
}

const looksLikeMetadata = (value: unknown): value is JsonObject =>
  isObject(value) && (typeof value['reportId'] === 'string' || typeof value['reportId'] === 'number');

const looksLikeVisuals = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) &&
  value.every((entry) => isObject(entry) && (entry['data'] !== undefined || entry['visual'] !== undefined));

/**
 * Finds metadata and visual data. The interface names the two parts but not their places (gaps: webhook body):
 * `{metadata, visualData}`, the array under any name, metadata flat at the top, or `[metadata, ...visuals]`.
 */
export const findParts = (body: unknown): BodyParts | undefined => {
  if (Array.isArray(body)) {
    const [metadata, ...rest] = body;
    if (!looksLikeMetadata(metadata)) return undefined;
    const [only] = rest;
    const visuals = rest.length === 1 && Array.isArray(only) ? only : rest;
    return looksLikeVisuals(visuals) ? { metadata, visuals } : undefined;
  }
  if (!isObject(body)) return undefined;
  const { metadata: named, visualData } = body;
  // The usual places first, because this runs for every event.
  if (looksLikeMetadata(named) && looksLikeVisuals(visualData))
    return { metadata: named, visuals: visualData };
  const parts = Object.values(body);
  const metadata = [named, body, ...parts].find(looksLikeMetadata);
  const visuals = looksLikeVisuals(visualData)
    ? visualData
    : parts.filter(looksLikeVisuals).sort((a, b) => b.length - a.length)[0];
  return metadata && visuals ? { metadata, visuals } : undefined;
};
