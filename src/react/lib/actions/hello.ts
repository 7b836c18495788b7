/** The first event of a stream. */
export interface Hello {
  /** Pseudonym of the viewer; tabs with the same scope may share a stream. */
  readonly scope: string;
  /** Maximum interval between events, in milliseconds. */
  readonly heartbeatMs: number;
}

/** The backend's default. */
export const defaultHeartbeatMs = 15_000;

/** Parses a {@link Hello} from an unchecked value. */
export const readHello = (value: unknown): Hello => {
  const { scope, heartbeatMs } = Object(value) as Partial<Record<keyof Hello, unknown>>;
  return {
    scope: typeof scope === 'string' ? scope : '',
    heartbeatMs: typeof heartbeatMs === 'number' && heartbeatMs >= 1000 ? heartbeatMs : defaultHeartbeatMs,
  };
};
