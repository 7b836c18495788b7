/**
 * The listener methods of an `AbortSignal`. Every `AbortSignal` is one, but a plain object is much cheaper to create.
 */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
