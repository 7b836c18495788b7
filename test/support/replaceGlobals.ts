import { onTestFinished } from 'vitest';

/** Replaces properties of an object; returns a function that restores them. */
const replaceProperties = (target: object, replacements: object): (() => void) => {
  const before = Object.keys(replacements).map(
    (name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const,
  );
  Object.defineProperties(target, Object.getOwnPropertyDescriptors(replacements));
  return () => {
    for (const [name, descriptor] of before)
      if (descriptor) Object.defineProperty(target, name, descriptor);
      else Reflect.deleteProperty(target, name);
  };
};

let undo: (() => void)[] = [];

/** Restores what {@link replaceGlobals} has replaced. */
export const restoreGlobals = (): void => {
  for (const restore of undo.reverse()) restore();
  undo = [];
};

/**
 * Replaces globals until the test ends, or until the next call: a page has one browser. An object replaces only the
 * properties that it has, such as `now` of `Date`.
 */
export const replaceGlobals = (
  replacements: Readonly<Record<string, unknown>>,
  onRestore: () => void = () => {},
): void => {
  restoreGlobals();
  onTestFinished(restoreGlobals);
  undo = [onRestore];
  for (const [name, value] of Object.entries(replacements)) {
    const target: unknown = Reflect.get(globalThis, name);
    const isPart = value instanceof Object && typeof value !== 'function' && target instanceof Object;
    undo.push(isPart ? replaceProperties(target, value) : replaceProperties(globalThis, { [name]: value }));
  }
};
