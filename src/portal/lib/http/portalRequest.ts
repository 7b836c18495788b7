/** One HTTP request, with its body. */
export interface PortalRequest {
  readonly method: string;
  /** Path without the query, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body; empty until it is read. */
  body: Buffer;
  /** Address of the sender. */
  readonly ipAddress: string;
  readonly requestId: string;
  /** Name of the tenant whose public origin received the request, if any. */
  readonly tenancyName: string | undefined;
  /** Facts about the request, for the log. */
  readonly trace: RequestTrace;
}

/** Facts about a request, collected during its handling. */
export interface RequestTrace {
  /** Name of the tenant. */
  tenancyName?: string;
  /** Notes for developers about the response, shown in the request log. */
  readonly notes: string[];
}
