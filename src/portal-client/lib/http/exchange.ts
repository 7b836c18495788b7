import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { ScopeEnded } from './callScope.ts';
import { BodyTooLargeError, decodeBody } from './decodeBody.ts';
import type { StopSignal } from './stopSignal.ts';
import { type TextHeaders, textHeaders } from './textHeaders.ts';

/** One HTTP request. */
export interface ExchangeRequest {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body: string | null;
  /** Maximum body size in bytes, before and after decompression. */
  readonly maxResponseBytes: number;
  readonly signal: StopSignal;
}

/** One complete HTTP response. */
export interface ExchangeResponse {
  readonly status: number;
  readonly headers: TextHeaders;
  readonly body: string;
}

/**
 * An exchange in progress, as undici's handler. A class with fields, because thousands may wait at once, and nine
 * closures each would cost more than the request itself.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: ExchangeRequest;
  readonly #resolve: (response: ExchangeResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #onAbort = () => this.#stop(new ScopeEnded(this.#status || undefined));
  #controller: Dispatcher.DispatchController | undefined;
  #stopped: Error | undefined;
  #status = 0;
  #headers: TextHeaders = {};
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    request: ExchangeRequest,
    settle: { resolve: (response: ExchangeResponse) => void; reject: (error: unknown) => void },
  ) {
    this.#request = request;
    this.#resolve = settle.resolve;
    this.#reject = settle.reject;
    request.signal.addEventListener('abort', this.#onAbort);
  }

  #stop(reason: Error): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = reason;
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    // Without a controller, the request is still waiting for a connection; it is aborted when it gets one.
    this.#controller?.abort(reason);
    this.#reject(reason);
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
    this.#status = status;
    this.#headers = textHeaders(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#request.maxResponseBytes) this.#stop(new BodyTooLargeError());
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#stopped !== undefined) return;
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks);
    try {
      const body = decodeBody(bytes, this.#headers['content-encoding'], this.#request.maxResponseBytes);
      this.#resolve({ status: this.#status, headers: this.#headers, body });
    } catch (error) {
      this.#reject(error);
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    this.#reject(this.#stopped ?? error);
  }
}

/**
 * Sends one request and reads its whole response, through `dispatch`: a third of the cost of `fetch`, and redirects are
 * not followed. Rejects with {@link ScopeEnded}, {@link BodyTooLargeError}, or an error of undici or zlib.
 */
export const exchange = (dispatcher: Dispatcher, request: ExchangeRequest): Promise<ExchangeResponse> =>
  new Promise((resolve, reject) => {
    if (request.signal.aborted) {
      reject(new ScopeEnded());
      return;
    }
    const { origin, path, method, headers, body } = request;
    dispatcher.dispatch(
      // The scope's deadline covers the whole exchange; undici's own timers would only add cost.
      { origin, path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 },
      new Exchange(request, { resolve, reject }),
    );
  });
