/** The body of a request: its text, or the value a parser of the host has already made of it. */
export type BodyReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'too_large' }
  /** The client broke off while it sent. */
  | { readonly kind: 'gone' }
  /** It did not arrive in time. */
  | { readonly kind: 'late' };

/** Bytes of a key request's body. `{"itemId":…}` needs forty. */
export const maxKeyRequestBytes = 2048;

/** One request as an adapter hands it to the core: no framework, no URL, no cookies. */
export interface HostExchange<TRequest> {
  /** The framework's own request, for the host's callbacks. */
  readonly request: TRequest;
  readonly method: string;
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** Reads the body, up to {@link maxKeyRequestBytes}. */
  readBody(): Promise<BodyReading> | BodyReading;
  /** Calls back when the client has left before its answer. */
  onGone(listener: () => void): void;
  /** Whether the client has left. Means nothing once the answer is sent. */
  readonly isGone: boolean;
}

/** What an adapter sends back. */
export interface HostAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
