import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import {
  type ReceivedCall,
  type StandInAnswer,
  type StandInPortal,
  startStandInPortal,
} from '../../support/standInPortal.ts';

/** A call with the parts of its URL and the value of its body. */
export interface SeenRequest extends Omit<ReceivedCall, 'body'> {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: any;
}

export type Reply = StandInAnswer;

/** A handler returns a reply, or uses the raw response and returns nothing. */
export type Handler = (request: SeenRequest, response: ServerResponse) => ReturnType<StandInPortal['answer']>;

/** A real HTTP server on a free port, closed at the end of the test. */
export const serve = async (handler: Handler) => {
  const requests: SeenRequest[] = [];
  const portal = await startStandInPortal();
  onTestFinished(portal.close);
  portal.answer = (call, response) => {
    const { pathname: path, searchParams: query } = new URL(call.url, 'http://localhost');
    const request = { ...call, path, query, body: call.body === '' ? undefined : JSON.parse(call.body) };
    requests.push(request);
    return handler(request, response);
  };
  return { baseUrl: portal.url, requests, close: portal.close };
};
