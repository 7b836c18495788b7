/** The viewer and the report of a call. Failures are counted by both. */
export interface Caller {
  readonly userId: string;
  readonly itemId: number;
}
