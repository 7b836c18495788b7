import type { FuzzWorld, GeneratedRequest } from './generatedRequest.ts';
import type { GeneratedAnswer } from './sendGenerated.ts';

/** The rules for every response. */
export interface FuzzRules {
  readonly world: FuzzWorld;
  /** A text that occurs in everything another tenant owns, and in no request. */
  readonly mark: string;
  /** Texts that no response may contain. */
  readonly secrets: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** A wrong passphrase or tenant name is a business error, for which CreateEncryptedKey returns 500. */
const mayBeBusinessError = ({ endpoint, body }: GeneratedRequest, world: FuzzWorld): boolean => {
  if (!endpoint.isMint || body === undefined) return false;
  const sent = parse(new TextDecoder().decode(body));
  return isObject(sent) && (sent['passPhrase'] !== world.passPhrase || sent['tenancyName'] !== 'acme');
};

const errorOf = (text: string): Json | undefined => {
  const answer = parse(text);
  return isObject(answer) && isObject(answer['error']) ? answer['error'] : undefined;
};

const membersOf = (error: Json): readonly string[] => {
  const entries = Array.isArray(error['validationErrors']) ? (error['validationErrors'] as Json[]) : [];
  return entries.flatMap(({ members }) => (Array.isArray(members) ? (members as string[]) : []));
};

/** Whether an error names one of the invalid fields; invalid JSON as a whole has none. */
const namesField = ({ changed }: GeneratedRequest, error: Json): boolean =>
  membersOf(error).some((member) => member === 'body' || changed.some((field) => member.startsWith(field)));

const isPage = ({ headers }: GeneratedAnswer): boolean =>
  String(headers['content-type']).startsWith('text/html');

/** Every error in a response; empty if it is correct. */
export const checkResponse = (
  request: GeneratedRequest,
  answer: GeneratedAnswer | undefined,
  { world, mark, secrets }: FuzzRules,
): readonly string[] => {
  if (answer === undefined) return ['no answer: the connection was cut'];
  const { status, text } = answer;
  const wrong: string[] = [];
  if (status >= 500 && !(status === 500 && mayBeBusinessError(request, world)))
    wrong.push(`status ${status}`);
  if (text.includes(mark)) wrong.push('data of another tenant');
  if (secrets.some((secret) => text.includes(secret))) wrong.push('a secret');
  if (status < 400 || request.method === 'HEAD' || isPage(answer)) return wrong;
  const error = errorOf(text);
  if (typeof error?.['message'] !== 'string' || error['message'].length < 10)
    wrong.push(`a refusal without a sentence: ${text.slice(0, 200)}`);
  else if ([413, 415].includes(status) && membersOf(error).length === 0)
    wrong.push(`a refusal that names nothing: ${text.slice(0, 300)}`);
  else if ([400, 409].includes(status) && request.changed.length > 0 && !namesField(request, error))
    wrong.push(`a refusal that names none of ${request.changed.join(', ')}: ${text.slice(0, 300)}`);
  return wrong;
};
