import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BodyReading, type HostExchange, maxKeyRequestBytes } from '../exchange/hostExchange.ts';
import { readNodeBody } from './readNodeBody.ts';

/** A {@link HostExchange} over a request and response of `node:http`. A class, because every key request makes one. */
export class NodeExchange<TRequest> implements HostExchange<TRequest> {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  #goneListeners: (() => void)[] | undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.#request = request;
    this.#response = response;
  }

  get request(): TRequest {
    // The framework's request extends the Node request; its type is the one that the host's callbacks declare.
    return this.#request as unknown as TRequest;
  }

  get method(): string {
    return this.#request.method ?? '';
  }

  header(name: string): string | undefined {
    const { headers } = this.#request;
    // HTTP/2 has a separate field for the host.
    const value = headers[name] ?? (name === 'host' ? headers[':authority'] : undefined);
    return Array.isArray(value) ? value[0] : value;
  }

  readBody(): Promise<BodyReading> | BodyReading {
    return readNodeBody(this.#request, maxKeyRequestBytes);
  }

  onGone(listener: () => void): void {
    if (this.#goneListeners !== undefined) {
      this.#goneListeners.push(listener);
      return;
    }
    const listeners = [listener];
    this.#goneListeners = listeners;
    this.#response.on('close', () => {
      if (!this.#response.writableFinished) for (const listener of listeners) listener();
    });
  }

  get isGone(): boolean {
    // An HTTP/2 response has no `destroyed`; its request has `aborted`, until the response has ended.
    return this.#response.destroyed ?? this.#request.aborted;
  }
}
