import type { ValidationError } from './errors.ts';
import { maxUnderstood } from './refusedPart.ts';

/** The words of a sentence that says no more than that the report does not exist. */
const plainWords: ReadonlySet<string> = new Set(
  `a an the this that such there you we i with of to is was are has have had been be does do did can could
  find found locate located retrieve load available identified by get exist exists existing requested specified given entity record object
  sorry error no not missing gone deleted removed archived unavailable unknown unable longer anymore
  power bi embedded report item bireport biitem itemlink dashboard id guid number 0`.split(/\s+/),
);
const absent = /\b(?:no|not|missing|gone|deleted|removed|archived|unavailable|unknown|unable)\b/;
const report = /\b(?:(?:bi)?(?:report|item)|dashboard (?:(?:with|the|id|number) )*0)\b/;

/**
 * Whether a sentence says that there is no such report: every other thing that it names (a role, a page, a server) is a
 * word that is not plain.
 */
const isAbsentReport = (sentence: string): boolean => {
  const words = sentence
    .replaceAll(/(?:\bca)?n['’]t\b|(?<=\bcan)not\b/gi, ' not')
    // The report's name and number
    .replaceAll(/(["'])(?!(?:bi)?(?:report|item)\1)[^"'/]+\1/gi, ' ')
    .replaceAll(/\b(?=[a-f-]*\d)[\da-f-]+\b/gi, '0')
    // For whom or why, and what else may be the case
    .replace(/\b(?:or|because|in|on|for)\b.*/is, '')
    // As in "Entity type: Acme.BiReport" and "Acme:ReportNotFound"
    .replaceAll(/\b(?!(?:bi)?(?:report|item)\b)\w+[.:](?=[a-z])|\bentity type\b/gi, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .match(/[\p{L}\d/]+/gu);
  const text = words?.join(' ') ?? '';
  return absent.test(text) && report.test(text) && words?.every((word) => plainWords.has(word)) === true;
};

/** Words of a sentence that gives another reason than an absent report. */
const otherPart =
  /pass[ _-]?phrase|\btenan|api[ _-]?key|permission|\b(?:role|user|server|gateway)|timed out|\/api\//i;

/** The sentences of a text, and the parts of each. ASP.NET Boilerplate names the entity in a second one. */
const sentencesOf = (text: string): readonly string[] =>
  text
    .slice(0, maxUnderstood)
    .split(/[.;!?](?:\s+(?!entity type)|$)/i)
    .flatMap((sentence) => [sentence, ...sentence.split(/[,:.]\s+/)]);

/** Whether a refusal says that the report does not exist. */
export const namesAbsentReport = ({
  texts,
  validationErrors,
}: {
  readonly texts: readonly string[];
  readonly validationErrors: readonly ValidationError[];
}): boolean => {
  const sentences = [...texts, ...validationErrors.map(({ message }) => message)].flatMap(sentencesOf);
  const others = sentences.filter((sentence) => !isAbsentReport(sentence));
  return (
    validationErrors.some(({ field }) => /(?:^|\.)(?:report|item)id$/i.test(field)) ||
    // "Cannot find the report. The passphrase is wrong" is about the passphrase.
    (others.length < sentences.length && !others.some((sentence) => otherPart.test(sentence)))
  );
};
