/** Options of the doctor. */
export interface DoctorOptions {
  /** Configuration, and the proxy variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that some of the configuration comes from. */
  readonly envFile?: string | undefined;
  /** Whether the portal is the one that `npm start` runs. */
  readonly isDev: boolean;
  /** Report to create a key for. */
  readonly itemId: number | undefined;
  readonly userId: string;
  readonly roleNames: readonly string[];
  /** Origin of the host app, to check whether it may frame the report. */
  readonly origin: string | undefined;
  readonly now: () => number;
  /** Time limit of one network probe, in milliseconds. */
  readonly timeoutMs: number;
}
