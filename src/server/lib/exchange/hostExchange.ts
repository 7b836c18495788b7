/** The body of a request: its text, or the value that a body parser of the host has already parsed. */
export type BodyReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'too_large' }
  /** The client disconnected while sending. */
  | { readonly kind: 'gone' }
  /** It did not arrive in time. */
  | { readonly kind: 'late' };

/** Maximum size of a key request's body. `{"itemId":…}` needs 40 bytes. */
export const maxKeyRequestBytes = 2048;

/** One request, as adapters pass it to the core: no framework, no URL, no cookies. */
export interface HostExchange<TRequest> {
  /** The framework's own request, for the host's callbacks. */
  readonly request: TRequest;
  readonly method: string;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** Reads the body, up to {@link maxKeyRequestBytes}. */
  readBody(): Promise<BodyReading> | BodyReading;
  /** Calls back if the client disconnects before the response. */
  onGone(listener: () => void): void;
  /** Whether the client has disconnected. Meaningless once the response is sent. */
  readonly isGone: boolean;
}

/** The response that an adapter sends. */
export interface HostResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
