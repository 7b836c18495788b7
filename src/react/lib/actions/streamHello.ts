/** The first event of a stream. */
export interface StreamHello {
  /** Pseudonym of the viewer; tabs with the same scope may share a stream. */
  readonly scope: string;
  /** Maximum interval between events, in milliseconds. */
  readonly heartbeatMs: number;
}

/** The backend's default. */
export const defaultHeartbeatMs = 15_000;

/** Parses a {@link StreamHello} from an unchecked value. */
export const readStreamHello = (value: unknown): StreamHello => {
  const { scope, heartbeatMs } = Object(value) as Partial<Record<keyof StreamHello, unknown>>;
  return {
    scope: typeof scope === 'string' ? scope : '',
    heartbeatMs: typeof heartbeatMs === 'number' && heartbeatMs >= 1000 ? heartbeatMs : defaultHeartbeatMs,
  };
};
