import { readFileSync } from 'node:fs';
import { type ActionLab, isFields, need } from '@vitrine/conformance';
import { fileError } from '../../output/fileError.ts';
import { UsageError } from '../../output/usageError.ts';

const textFields = ['method', 'text', 'itemGuid', 'itemName', 'visual'] as const;

const advice = 'Set --webhook to a JSON file with a captured delivery.';

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const readCapture = (file: string): Readonly<Record<string, unknown>> => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw fileError(`read ${file}`, error, advice);
  }
  const capture = parse(text);
  if (!isFields(capture)) throw new UsageError(`The file ${file} is not a JSON object. ${advice}`);
  return capture;
};

/** Nobody can click in a report of another portal, so a captured delivery serves as every selection of one row. */
export const readCapturedActions = (file: string): ActionLab => {
  const capture = readCapture(file);
  const text = (name: string): string => {
    const value = capture[name];
    if (typeof value !== 'string')
      throw new UsageError(`The file of --webhook must have the text "${name}".`);
    return value;
  };
  const [method = '', body = '', itemGuid = '', itemName = '', visual = ''] = textFields.map(text);
  if (!isFields(capture['headers'])) throw new UsageError('The file of --webhook must have "headers".');
  const headers = Object.fromEntries(
    Object.entries(capture['headers']).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  const secret = capture['secret'] === undefined ? undefined : text('secret');
  return {
    secrets: secret === undefined ? [] : [secret],
    countReceived: () => 0,
    trigger: async ({ gesture, receiverStatus, hasSecret }) => {
      need(gesture === 'one row', 'needs a real click: the captured delivery covers only one selection');
      need(receiverStatus < 300, 'needs a receiver that refuses deliveries');
      need(
        hasSecret === (secret !== undefined),
        'needs a task with another secret setting than the captured one',
      );
      return { received: [{ method, headers, text: body }], itemGuid, itemName, visual, secret };
    },
  };
};
