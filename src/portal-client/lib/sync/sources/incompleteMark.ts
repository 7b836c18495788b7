import { asCount, asText, isRecord, type JsonRecord, member } from '../../responses/jsonValues.ts';
import { plainName } from './csvFields.ts';

/**
 * The field of a response that says that a list in it is one of several pages: a next page, more to come, or another
 * total. Directories put it beside the list, or some levels deeper.
 */
export const incompleteMark = (
  response: JsonRecord,
  list: readonly unknown[],
  levels = 3,
): string | undefined => {
  for (const [name, value] of Object.entries(response)) {
    if (value === list) continue;
    if (saysMore(plainName(name).replace(/^@odata/, ''), value, list.length)) return name;
    const mark = isRecord(value) && levels > 0 ? incompleteMark(value, list, levels - 1) : undefined;
    if (mark !== undefined) return mark;
  }
  return undefined;
};

const saysMore = (name: string, value: unknown, length: number): boolean => {
  const text = asText(value)?.trim().toLowerCase() ?? '';
  const count = asCount(value);
  if (/^next(?:page|link|url|href|uri|token|cursor|marker|offset)*$/.test(name))
    return isRecord(value) ? Object.keys(value).length > 0 : !['', 'null', 'false'].includes(text);
  if (name === 'links') return Array.isArray(value) && value.some(isNextLink);
  if (/^(?:has)?(?:more|next)(?:pages?|items|results)?$|^(?:is)?truncated$|^incompleteresults$/.test(name))
    return text === 'true';
  if (/^(?:is)?last(?:page)?$/.test(name)) return text === 'false';
  if (/^(?:total)?pages?(?:count)?$/.test(name)) return count !== undefined && count > 1;
  return /^(?:total|count|total(?:results|count|items|elements|size|records|users|hits))$/.test(name)
    ? count !== undefined && count !== length
    : false;
};

const isNextLink = (link: unknown): boolean => isRecord(link) && member(link, 'rel') === 'next';
