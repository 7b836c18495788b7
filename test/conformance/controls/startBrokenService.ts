import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Answer, type Outgoing, send } from '../../../src/conformance/lib/send.ts';
import type { Target, TenantAccess } from '../../../src/conformance/lib/target.ts';
import { closeServer, listen } from '../../support/standInPortal.ts';

/** A request to the original service, with the URL of the service. */
export interface PassedRequest extends Outgoing {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** How a service is broken. Without a function, requests or responses pass unchanged. */
export interface Breakage {
  /** Changes a request, or answers it instead of the service. */
  request?(request: PassedRequest, target: Target): PassedRequest | Answer;
  /** Changes a response. `ask` sends another request to the original service. */
  answer?(
    answer: Answer,
    request: PassedRequest,
    ask: (request: PassedRequest) => Promise<Answer>,
  ): Answer | Promise<Answer>;
}

const ownHeaders = new Set(['connection', 'content-length', 'transfer-encoding', 'keep-alive', 'date']);
const kept = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name)));

/** A proxy that breaks a working service. */
export const startBrokenService = async (target: Target, breakage: Breakage) => {
  const addressFor = (host: string, path: string): string => {
    const tenants = [target, ...(target.secondTenant ? [target.secondTenant] : [])];
    const tenant = tenants.find(({ tenantUrl }) => new URL(tenantUrl).hostname === host.replace(/:\d+$/, ''));
    return `${tenant?.tenantUrl ?? target.baseUrl}${path}`;
  };
  const pass = async (request: PassedRequest): Promise<Answer> => {
    const changed = breakage.request?.(request, target) ?? request;
    if ('status' in changed) return changed;
    // Node sends none with the body of a TRACE, for example.
    const length = { 'content-length': String(Buffer.byteLength(changed.body ?? '')) };
    const answer = await send({
      ...changed,
      headers: { ...changed.headers, ...length, host: new URL(changed.url).host },
    });
    return (await breakage.answer?.(answer, changed, send)) ?? answer;
  };
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    void pass({
      method: incoming.method ?? '',
      url: addressFor(incoming.headers.host ?? '', incoming.url ?? '/'),
      headers: kept(incoming.headers as Record<string, string>),
      body: body === '' ? undefined : body,
    }).then(
      (answer) => outgoing.writeHead(answer.status, kept(answer.headers)).end(answer.text),
      () => outgoing.destroy(),
    );
  });
  const url = await listen(server);

  const behind = <TAccess extends TenantAccess>(access: TAccess): TAccess => {
    const tenantUrl = new URL(access.tenantUrl);
    tenantUrl.port = new URL(url).port;
    return { ...access, baseUrl: url, apiBaseUrl: url, tenantUrl: tenantUrl.origin };
  };
  const { actions: _actions, secondTenant, ...rest } = target;
  return {
    target: { ...behind(rest), ...(secondTenant && { secondTenant: behind(secondTenant) }) } satisfies Target,
    close: () => closeServer(server),
  };
};
