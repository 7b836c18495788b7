/** Who asks, and for what. Failures are counted by both. */
export interface Caller {
  readonly userId: string;
  readonly itemId: number;
}
