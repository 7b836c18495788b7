/** What the doctor is asked to check. */
export interface DoctorOptions {
  /** Configuration, and the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that some of it comes from. */
  readonly envFile?: string | undefined;
  /** Whether the portal is the one that `npm start` runs. */
  readonly isDev: boolean;
  /** Report to make a key for. */
  readonly itemId: number | undefined;
  readonly userId: string;
  readonly roleNames: readonly string[];
  /** Origin of the host app, to judge who may frame the report. */
  readonly origin: string | undefined;
  readonly now: () => number;
  /** Milliseconds that one probe of the network may take. */
  readonly timeoutMs: number;
}
