/** What the backend says when a stream opens. */
export interface Hello {
  /** Names the viewer without saying who it is; tabs with the same one may share a stream. */
  readonly scope: string;
  /** Longest silence to expect, in milliseconds. */
  readonly heartbeatMs: number;
}

/** The backend's default. */
export const defaultHeartbeatMs = 15_000;

/** Reads a {@link Hello}, taking nothing for granted. */
export const readHello = (value: unknown): Hello => {
  const { scope, heartbeatMs } = Object(value) as Partial<Record<keyof Hello, unknown>>;
  return {
    scope: typeof scope === 'string' ? scope : '',
    heartbeatMs: typeof heartbeatMs === 'number' && heartbeatMs >= 1000 ? heartbeatMs : defaultHeartbeatMs,
  };
};
