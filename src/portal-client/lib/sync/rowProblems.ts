import { quoteText } from '@vitrine/contract';
import { isRecord } from '../json.ts';
import type { DesiredUser } from './people.ts';
import { nfc, shown } from './text.ts';

/** Why a row is not valid, or undefined. Rows come from files and programs, so their types are checked too. */
export const problemOf = (row: DesiredUser): string | undefined => {
  if (!isRecord(row)) return 'it is not a record';
  const { email, type, firstName, lastName, roles, organizationUnits, active, problem } = row;
  if (problem !== undefined) return String(problem);
  if (typeof email !== 'string' || email.trim() === '') return 'it has no email address';
  if (!isPlainAddress(email)) return `its email address ${quoteText(email)} is not valid`;
  for (const [name, value] of Object.entries({ type, firstName, lastName }))
    if (value !== undefined && (typeof value !== 'string' || value.trim() === ''))
      return `its ${name} is empty or not a string; omit it to keep the value`;
  for (const [name, value] of Object.entries({ roles, organizationUnits }))
    if (value !== undefined && !isTextList(value)) return `its ${name} is not a list of strings`;
  if (active !== undefined && typeof active !== 'boolean')
    return `its active is ${shown(active)}, not true or false`;
  const names = [firstName, lastName];
  const texts = [email, ...names, ...(roles ?? []), ...(organizationUnits ?? [])];
  const unusable =
    [type, ...names].find((text) => noValue.test(text?.trim() ?? '')) ??
    texts.find((text) => text !== undefined && (isBrokenText(text) || htmlEntity.test(text))) ??
    names.find((name) => brokenName.test(name ?? ''));
  return unusable === undefined
    ? undefined
    : `${quoteText(unusable)} stands for a missing value, was damaged before it came here, or read in a wrong encoding. Correct the source; an empty cell changes nothing`;
};

/** A label of a domain: letters and digits, with dashes inside. */
const label = String.raw`[\p{L}\p{Nd}](?:[\p{L}\p{M}\p{Nd}-]*[\p{L}\p{M}\p{Nd}])?`;
/** What directories have as addresses; other signs decorate one. `#EXT#` is in the sign-in names of guests of Entra ID. */
const plainAddress = new RegExp(
  String.raw`^(?!\p{Lm})[\p{L}\p{Nd}_][\p{L}\p{M}\p{Nd}._+'&-]*(?:#EXT#)?@${label}(?:\.${label})*(?<!\p{Lm})$`,
  'iu',
);
/** Characters that make one address look like another: invisible ones, marks on ASCII letters, and letters of two scripts. */
const lookAlike =
  /\p{Default_Ignorable_Code_Point}|[a-z]\p{M}|[a-z][\p{sc=Cyrl}\p{sc=Grek}]|[\p{sc=Cyrl}\p{sc=Grek}][a-z]/iu;

/** Whether a value is an undamaged address and nothing else. Compatible forms of characters, such as `ａ` and `¹`, are not. */
export const isPlainAddress = (value: unknown): boolean => {
  const address = typeof value === 'string' ? nfc(value) : '';
  const isAsWritten = address.normalize('NFKC') === address && !isBrokenText(address);
  return plainAddress.test(address) && !lookAlike.test(address) && isAsWritten;
};

/** What UTF-8 text has after its first bytes, if it is read as windows-1252. */
const continuation = '\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/** Text that is no name: lost and control characters, line breaks, ? between letters, and UTF-8 that was read in another encoding. */
const brokenText = new RegExp(
  String.raw`\uFFFD|\p{Cs}|(?!\s)\p{Cc}|[\t-\r\u2028\u2029](?=\s*\S)|[ÂÃÄÅÎÏÐÑ×ØÙ][${continuation}]|[à-ï][${continuation}]{2}|ðŸ|\p{L}\?\p{L}`,
  'u',
);

/** The same in the name of a person: any ?, and signs beside letters, as the text of a console (CP850) has them in windows-1252. */
const brokenName =
  /\?|\p{L}[‚„†‡ˆ‰‹€¢£¤¥¡]|[†‡ˆ‰€¢£¤¥›]\p{L}|\p{L}[…”™›]\p{L}|\p{Ll}[ŠŽŸŒ]|[à-ï][¡-©¬-¹¼-¿]$/u;

/** What databases and spreadsheets write for a missing value. Null is also a name. */
const noValue =
  /^(?:NULL|null|[(<]null[)>]|undefined|NaN|\[object Object\]|#?N\/A|#NV|#[A-Z]+[!?]|#DIV\/0!)$/;
/** A character as HTML writes it. */
const htmlEntity = /&(?:#x?[\da-f]+|[a-z]\w*);/i;

const isBrokenText = (text: string): boolean => brokenText.test(text.trimStart());

const isTextList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((text) => typeof text === 'string' && text.trim() !== '');
