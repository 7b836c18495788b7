import { describeThrown, KeyRequestError } from './problems.ts';

/** A value or a promise. */
export type MaybePromise<T> = T | PromiseLike<T>;

/** Time limit of each callback of the host, and of receiving a body. */
export const waitMs = 5000;

/** Waits for a promise up to {@link waitMs}; then it rejects with `late`. The promise itself continues. */
export const inTime = async <TValue>(
  promise: PromiseLike<TValue>,
  late: () => Error,
  limitMs = waitMs,
): Promise<TValue> => {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), limitMs);
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
};

const isPromise = <TValue>(value: MaybePromise<TValue>): value is PromiseLike<TValue> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/**
 * Creates a check of the objects that come as promises. A request that overlaps may change such an object before it is read,
 * so each may stand for one name only. The first overlap is invisible: the object then had no other name.
 */
export const createAwaitedCheck = (
  advice: string,
): ((object: object, name: string, wasAwaited: boolean) => void) => {
  const names = new WeakMap<object, string>();
  return (object, name, wasAwaited) => {
    if (!wasAwaited) return;
    const isChanged = (names.get(object) ?? name) !== name;
    // Once changed, the object names nobody any more.
    names.set(object, isChanged ? '' : name);
    if (isChanged) throw new Error(advice);
  };
};

/**
 * Calls a callback of the host and reads its result. What the callback returns is read before anything else runs, because
 * a host may change the same object for its next request. All errors but ours become errors of the callback.
 */
export const callHost = async <TValue, TRead>(
  callback: string,
  call: () => MaybePromise<TValue>,
  read: (value: TValue, wasAwaited: boolean) => TRead,
): Promise<TRead> => {
  try {
    const given = call();
    if (!isPromise(given)) return read(given, false);
    const late = () => new Error(`${callback}() did not finish within ${waitMs} ms.`);
    return await inTime(
      Promise.resolve(given).then((value) => read(value, true)),
      late,
    );
  } catch (error) {
    if (error instanceof KeyRequestError) throw error;
    const problem = `${callback}() threw ${describeThrown(error)}`;
    throw new KeyRequestError({ code: 'internal_error' }, { origin: 'host', problem }, error);
  }
};
