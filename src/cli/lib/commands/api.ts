import { administrationKeyHeader, maxPageSize } from '@vitrine/contract/service';
import { Option } from 'commander';
import { confirm } from '../input/ask.ts';
import { readApiKey, secretsIn } from '../input/readApiKey.ts';
import { readBaseUrl } from '../input/readBaseUrl.ts';
import { plainText } from '../output/text.ts';
import { UsageError } from '../output/usageError.ts';
import { type CommandSpec, type Run } from '../program/addCommand.ts';
import { isOn, numberOption, textOption } from '../program/readOptions.ts';

/** `vitrine api`: one request to the administration API. */
export const apiCommand: Omit<CommandSpec, 'summary'> = {
  usage: 'api <method> <path>',
  details:
    'Prints the body of the response; with --json, one that is not JSON with its status. Exit code 1 if the portal refuses the request; its body is printed too.',
  api: 'changes',
  options: [
    new Option('--data <json>', 'body of the request'),
    new Option('--paginate', 'read every page of a list, and print one JSON array'),
  ],
  examples: [
    { line: 'vitrine api GET /v1/users --paginate', note: 'all users' },
    { line: 'vitrine api DELETE /v1/users/2 --yes', note: 'without confirmation' },
  ],
  run: async (run) => {
    const [method = '', path = ''] = run.args;
    const request = await prepare(run, method.toUpperCase(), path);
    if (request === undefined) return;
    if (!isOn(run.options, 'paginate')) return show(run, request, await send(request, path));
    if (request.method !== 'GET')
      throw new UsageError(`--paginate reads a list: use it with GET, not ${request.method}.`);
    const { createOutput } = await import('../output/createOutput.ts');
    const out = createOutput(run.io, { ...run.options, json: true });
    await out.rows(readPages(request, path), { columns: [], noun: 'row' });
  },
};

type Prepared = NonNullable<Awaited<ReturnType<typeof prepare>>>;
type Response = Awaited<ReturnType<typeof send>>;

/** Checks the request, and asks before one that may change something. */
const prepare = async (run: Run, method: string, path: string) => {
  const { options, io } = run;
  if (!/^(?:GET|POST|PUT|PATCH|DELETE)$/.test(method))
    throw new UsageError(
      `The method is ${JSON.stringify(method)}. Use GET, POST, PUT, PATCH or DELETE: vitrine api GET /v1/users`,
    );
  if (!path.startsWith('/') || path.startsWith('//') || path.split(/[/?]/).includes('..'))
    throw new UsageError(
      `The path is ${JSON.stringify(path)}. Use one below the base URL, such as /v1/users.`,
    );
  const data = textOption(options, 'data');
  if (data !== undefined && parseJson(data) === undefined) throw new UsageError('--data is not valid JSON.');
  if (data !== undefined && method === 'GET')
    throw new UsageError(
      'A GET has no body, so --data was not sent. Put its values into the path: vitrine api GET "/v1/users?page=2"',
    );
  const { url } = await readBaseUrl(run);
  const question = plainText(`Send ${method} ${path} to ${new URL(url).host}?`);
  if (method !== 'GET' && !(await confirm(run, question))) return undefined;
  const { createSecretMask } = await import('@vitrine/portal-client');
  const key = await readApiKey(run);
  const timeoutSeconds = numberOption(options, 'timeout', 0.001, 2_147_483) ?? 30;
  return {
    method,
    base: url.replace(/\/+$/, ''),
    key,
    data,
    signal: AbortSignal.any([io.signal, AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000))]),
    /** Masks the API key and the passphrase in a response. */
    mask: createSecretMask([key.reveal(), ...secretsIn(io.env)]),
  };
};

/** Sends a request without following redirects, which would pass on the key. */
const send = async ({ method, base, key, data, signal, mask }: Prepared, path: string) => {
  const { EnvHttpProxyAgent, request } = await import('undici');
  const agent = new EnvHttpProxyAgent({ connect: { rejectUnauthorized: true } });
  try {
    const { statusCode, body } = await request(base + path, {
      dispatcher: agent,
      method,
      headers: {
        accept: 'application/json',
        [administrationKeyHeader]: `Bearer ${key.reveal()}`,
        ...(data !== undefined && { 'content-type': 'application/json' }),
      },
      body: data ?? null,
      signal,
    });
    const text = await body.text();
    return { status: statusCode, text: mask(text) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'timeout';
    throw new UsageError(`${method} ${path}: ${new URL(base).origin} did not respond (${code}).`, {
      cause: error,
    });
  } finally {
    await agent.close();
  }
};

// TypeScript does not know it yet.
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };

/** Parses JSON whose numbers print as they came: a rounded ID is that of another row. Undefined for another text. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text, (_name, value: unknown, { source = '' }: { readonly source?: string } = {}) =>
      typeof value !== 'number' || Number.isSafeInteger(value) ? value : rawJSON(source),
    );
  } catch {
    return undefined;
  }
};

/** Prints a body. A refusal fails the command. */
const show = (
  { out, args, setExitCode }: Run,
  { method, mask }: Prepared,
  { status, text }: Response,
): void => {
  const plain = plainText(text, { keepLines: true });
  const body = parseJson(text);
  if (body !== undefined) out.line(JSON.stringify(body, undefined, 2));
  else if (text !== '' || out.format === 'json') out.record({ status, body: text }, plain);
  if (status < 300) return out.note(`${method}: status ${status}.`);
  // Without the query, which may hold anything.
  const [path = ''] = (args[1] ?? '').split('?');
  out.warn(`The portal refused ${method} ${mask(plainText(path))} (status ${status}).`);
  setExitCode(1);
};

/** The rows of all pages: until one is empty, repeats the one before, or completes the total. */
async function* readPages(request: Prepared, path: string): AsyncGenerator<object> {
  const url = new URL(request.base + path);
  if (!url.searchParams.has('pageSize')) url.searchParams.set('pageSize', String(maxPageSize));
  let count = 0;
  let last = '';
  for (let page = 1; ; page += 1) {
    url.searchParams.set('page', String(page));
    const { status, text } = await send(request, url.href.slice(request.base.length));
    const body = parseJson(text);
    const list = Array.isArray(body) ? { items: body } : Object(body);
    if (status >= 300 || !Array.isArray(list.items))
      throw new UsageError(
        `GET ${path}: page ${page} is not a list (status ${status}). Leave out --paginate to see the response.`,
      );
    if (list.items.length === 0 || text === last) return;
    yield* list.items;
    last = text;
    count += list.items.length;
    if (count >= Number(list.totalCount)) return;
  }
}
