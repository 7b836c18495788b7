/** The part of an `AbortSignal` that is listened to. Every `AbortSignal` is one; a plain object is much cheaper to make. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
