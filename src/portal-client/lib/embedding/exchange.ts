import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Deadline, Deadlines } from './createDeadlines.ts';
import type { StopSignal } from './stopSignal.ts';

/** One HTTP request. */
export interface ExchangeRequest {
  readonly path: string;
  /** Names and values by turns. */
  readonly headers: string[];
  readonly body: string;
  /** Milliseconds until the whole answer must be there; noticed a moment later, see `createDeadlines`. */
  readonly timeoutMs: number;
  /** Bytes of an answer's body above which it is given up. */
  readonly maxResponseBytes: number;
  readonly signal?: StopSignal | undefined;
}

/** One HTTP answer, read to its end. */
export interface ExchangeAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly contentType: string | undefined;
  readonly date: string | undefined;
  readonly body: string;
}

/** Why an exchange was given up by us; connection failures reject with undici's own errors. */
export type ExchangeStopReason = 'timeout' | 'aborted' | 'too_large';

/** Rejection of an exchange that we gave up. */
export class ExchangeStopped extends Error {
  override readonly name = 'ExchangeStopped';
  readonly reason: ExchangeStopReason;

  constructor(reason: ExchangeStopReason) {
    super(`The exchange was stopped: ${reason}.`);
    this.reason = reason;
  }
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

/**
 * One exchange under way, and undici's handler of it. A class with its state in fields, because thousands may wait at
 * once: nine closures for each of them cost more than the request itself.
 */
class Exchange implements Dispatcher.DispatchHandler, Deadline {
  readonly dueMs: number;
  place = 0;
  readonly #request: ExchangeRequest;
  readonly #resolve: (answer: ExchangeAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #deadlines: Deadlines;
  readonly #onAbort = () => this.#stop('aborted');
  #controller: Dispatcher.DispatchController | undefined;
  #stopped: ExchangeStopped | undefined;
  #head: Omit<ExchangeAnswer, 'body'> | undefined;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    request: ExchangeRequest,
    deadlines: Deadlines,
    settle: { resolve: (answer: ExchangeAnswer) => void; reject: (error: unknown) => void },
  ) {
    this.#request = request;
    this.#deadlines = deadlines;
    this.#resolve = settle.resolve;
    this.#reject = settle.reject;
    this.dueMs = performance.now() + request.timeoutMs;
    deadlines.add(this);
    request.signal?.addEventListener('abort', this.#onAbort);
  }

  onDue(): void {
    this.#stop('timeout');
  }

  #finish(): void {
    this.#deadlines.remove(this);
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
  }

  #stop(reason: ExchangeStopReason): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = new ExchangeStopped(reason);
    this.#finish();
    // Without a controller the request still waits for a connection; it is aborted when it gets one.
    this.#controller?.abort(this.#stopped);
    this.#reject(this.#stopped);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stopped !== undefined) controller.abort(this.#stopped);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#head = {
      status,
      retryAfter: one(headers['retry-after']),
      contentType: one(headers['content-type']),
      date: one(headers['date']),
    };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#request.maxResponseBytes) this.#stop('too_large');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#stopped !== undefined || this.#head === undefined) return;
    this.#finish();
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    this.#resolve({ ...this.#head, body: body.toString('utf8') });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#finish();
    this.#reject(this.#stopped ?? error);
  }
}

/**
 * Sends one POST and reads its whole answer, through `dispatch`: a third of the cost of `fetch`, and nothing follows
 * redirects or decompresses behind our back.
 */
export const exchange = (
  dispatcher: Dispatcher,
  deadlines: Deadlines,
  request: ExchangeRequest,
): Promise<ExchangeAnswer> =>
  new Promise((resolve, reject) => {
    if (request.signal?.aborted) {
      reject(new ExchangeStopped('aborted'));
      return;
    }
    dispatcher.dispatch(
      { path: request.path, method: 'POST', headers: request.headers, body: request.body },
      new Exchange(request, deadlines, { resolve, reject }),
    );
  });
