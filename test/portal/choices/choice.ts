import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckContext, createContext } from '../../../src/conformance/lib/createContext.ts';
import { describeAnswer, must } from '../../../src/conformance/lib/difference.ts';
import { type Fields, isFields } from '../../../src/conformance/lib/readers.ts';
import type { Answer } from '../../../src/conformance/lib/send.ts';
import { sharedPortal } from '../../conformance/support/sharedPortal.ts';
import { testDatabases } from '../databases.ts';

/** A choice of ours where the interface is silent. */
export interface Choice {
  readonly title: string;
  /** First cell of the row in gaps.md. */
  readonly gap: string;
  readonly run: (context: CheckContext) => void | Promise<void>;
}

/** Creates a {@link Choice}. */
export const chosen = (section: string, sentence: string, rest: Omit<Choice, 'title'>): Choice => ({
  title: `${section} ${sentence}`,
  ...rest,
});

/** Throws unless the status is the one that we chose. */
export const mustAnswer = (answer: Answer, status: number): void =>
  must(answer.status === status, `status ${status}`, describeAnswer(answer));

/** The bare resource of a response with the status that we chose. */
export const mustAnswerResource = (answer: Answer, status: number): Fields => {
  mustAnswer(answer, status);
  must(isFields(answer.json) && !('result' in answer.json), 'a bare resource', describeAnswer(answer));
  return answer.json;
};

/** The `error` of a refusal under /v1, in the shape that we chose. */
export const mustFail = (answer: Answer, status: number): Fields => {
  mustAnswer(answer, status);
  const error = isFields(answer.json) ? answer.json['error'] : undefined;
  must(isFields(error), 'an error object', describeAnswer(answer));
  for (const name of ['code', 'message', 'requestId'])
    must(typeof error[name] === 'string' && error[name] !== '', `error.${name}`, error);
  return error;
};

/** Throws unless it is a refusal with status 400 whose error names the field. */
export const mustName = (answer: Answer, field: string): void => {
  const error = mustFail(answer, 400);
  must(JSON.stringify(error).includes(field), `an error that names ${field}`, error);
};

/** The rows of a list in the shape that we chose. */
export const mustAnswerList = (
  answer: Answer,
): { readonly items: readonly Fields[]; readonly totalCount: number } => {
  const body = mustAnswerResource(answer, 200);
  const { items, totalCount, page, pageSize } = body;
  must(Array.isArray(items) && items.every(isFields), 'items', Object.keys(body));
  for (const [name, value] of Object.entries({ totalCount, page, pageSize }))
    must(typeof value === 'number', `${name}, a number`, value);
  return { items, totalCount: Number(totalCount) };
};

/** A field that may be null. */
export const orNull =
  (test: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || test(value);

/** A field with one of these values. */
export const isOneOf =
  (...allowed: readonly unknown[]) =>
  (value: unknown): boolean =>
    allowed.includes(value);

/** The first cell of each row of docs/gaps.md. */
export const gaps: readonly string[] = readFileSync('docs/gaps.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Gap '))
  .map((line) => line.split('|')[1]?.trim() ?? '');

const databases = await testDatabases('choices');

/** Tests of our choices on each database. */
export const describeChoices = (
  choices: readonly Choice[],
  options?: Parameters<typeof sharedPortal>[1],
): void => {
  describe.each(databases)('our choices where the interface is silent, on $name', ({ address, drop }) => {
    const started = sharedPortal(address, options);
    let context: CheckContext;
    beforeAll(() => {
      context = createContext(started().target, 'choices');
    });
    afterAll(() => drop());

    it.each(choices)('$title ($gap)', async ({ gap, run }) => {
      expect(gaps).toContain(gap);
      expect(await run(context)).toBeUndefined();
    });
  });
};
