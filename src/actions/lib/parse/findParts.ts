import { isObject, type JsonObject } from './plainChecks.ts';

/** The two parts of a webhook body. */
export interface BodyParts {
  readonly metadata: JsonObject;
  /** `undefined` if the body has no visual data, which differs from an empty selection. */
  readonly visuals: readonly unknown[] | undefined;
}

const looksLikeMetadata = (value: unknown): value is JsonObject =>
  isObject(value) && (typeof value['reportId'] === 'string' || typeof value['reportId'] === 'number');

/** Invalid entries among valid ones are flagged later; an empty array could be anything. */
const looksLikeVisuals = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) &&
  value.some((entry) => isObject(entry) && (entry['data'] !== undefined || entry['visual'] !== undefined));

/**
 * Finds metadata and visual data. The interface names the two parts but not their positions (gaps: webhook body):
 * `{metadata, visualData}`, the array under any name, metadata flat at the top, or `[metadata, ...visuals]`.
 */
export const findParts = (body: unknown): BodyParts | undefined => {
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
  const named = body['visualData'];
  if (Array.isArray(named)) return { metadata, visuals: named };
  const [longest] = parts.filter(looksLikeVisuals).sort((a, b) => b.length - a.length);
  return { metadata, visuals: longest };
};
