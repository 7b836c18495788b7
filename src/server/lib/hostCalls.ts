import { describeThrown, KeyRequestError } from './problems.ts';

/** A value or a promise. */
export type MaybePromise<T> = T | PromiseLike<T>;

/** Time limit of each callback of the host, and of receiving a body. */
export const waitMs = 5000;

/**
 * Waits for a promise up to {@link waitMs}, and until a signal fires. Then it rejects, with `late` or an error that says
 * what was late; the promise itself continues.
 */
export const inTime = async <TValue>(
  promise: PromiseLike<TValue>,
  late: string | (() => Error),
  limitMs = waitMs,
  stopped?: AbortSignal,
): Promise<TValue> => {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const end = () =>
    reject(typeof late === 'string' ? new Error(`${late} took longer than ${limitMs} ms.`) : late());
  const stop = () => reject(stopped?.reason);
  const timer = setTimeout(end, limitMs);
  stopped?.addEventListener('abort', stop);
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
    stopped?.removeEventListener('abort', stop);
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
    return await inTime(
      Promise.resolve(given).then((value) => read(value, true)),
      `${callback}()`,
    );
  } catch (error) {
    if (error instanceof KeyRequestError) throw error;
    const problem = `${callback}() threw ${describeThrown(error)}`;
    throw new KeyRequestError({ code: 'internal_error' }, { origin: 'host', problem }, error);
  }
};
