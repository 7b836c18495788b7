/*
 * Importing this module throws on a Node version that the server packages do not support. They import it before
 * anything else, so the error names the reason and not the first symptom, such as a missing built-in module.
 */

/** The releases of Node that the server packages support: their `node:sqlite` has the fix for SQLite's WAL-reset bug. */
export const supportedNode = '^22.22.3 || ^24.15.0 || >=26';

const isSupported = (version: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [, oldestMinor, oldestPatch] = new RegExp(`\\^${major}\\.(\\d+)\\.(\\d+)`).exec(supportedNode) ?? [];
  return (
    major >= 26 ||
    minor > Number(oldestMinor) ||
    (minor === Number(oldestMinor) && patch >= Number(oldestPatch))
  );
};

interface Runtime {
  readonly process?: { readonly versions: Readonly<Record<string, string | undefined>> };
}

// This package also runs in browsers, so it has no Node types.
const { node, bun, deno } = (globalThis as Runtime).process?.versions ?? {};
// Bun and Deno also report a Node version.
if (node !== undefined && bun === undefined && deno === undefined && !isSupported(node)) {
  const error = new Error(
    `Node ${node} is not supported by Vitrine: install Node ${supportedNode} from https://nodejs.org.`,
  );
  // The stack of an import is not useful.
  error.stack = error.message;
  throw error;
}
