/*
 * Importing this module throws on a Node that the server packages do not support. They import it before anything else,
 * so that the reason is read instead of what breaks first there, such as a built-in module that does not exist.
 */

/** The oldest supported release of each line: its `node:sqlite` carries the fix of SQLite's WAL-reset fault. */
const oldest: Readonly<Record<number, readonly [minor: number, patch: number]>> = {
  22: [22, 3],
  24: [15, 0],
};

const isSupported = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major >= 26) return true;
  const [oldestMinor, oldestPatch] = oldest[major] ?? [Number.POSITIVE_INFINITY, 0];
  return minor > oldestMinor || (minor === oldestMinor && patch >= oldestPatch);
};

/** The releases of Node that the server packages support. */
export const supportedNode = '^22.22.3 || ^24.15.0 || >=26';

interface Runtime {
  readonly process?: { readonly versions: Readonly<Record<string, string | undefined>> };
}

// This package is for browsers too, so it has no types of Node.
const { node, bun, deno } = (globalThis as Runtime).process?.versions ?? {};
// Bun and Deno name a Node that they are not.
if (node !== undefined && bun === undefined && deno === undefined && !isSupported(node)) {
  const error = new Error(
    `Node ${node} is not supported by Vitrine: install Node ${supportedNode} from https://nodejs.org.`,
  );
  // The place where it is thrown tells nobody anything.
  error.stack = error.message;
  throw error;
}
