// Plain JavaScript, so that an old Node version can run it and print the message.
/* The oldest releases whose node:sqlite has the fix for SQLite's WAL-reset bug. */
const oldest = { 22: [22, 3], 24: [15, 0] };

/** @param {string} version of Node, such as `24.21.0` */
export const isSupportedNode = (version) => {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major >= 26) return true;
  const [oldestMinor, oldestPatch] = oldest[major] ?? [Infinity, 0];
  return minor > oldestMinor || (minor === oldestMinor && patch >= oldestPatch);
};

if (process.argv[1]?.endsWith('checkNode.mjs') && !isSupportedNode(process.versions.node)) {
  process.stderr.write(
    `Node ${process.versions.node} is too old: Vitrine needs ^22.22.3 || ^24.15.0 || >=26. ` +
      'On Linux and on Windows (x64) `npm ci` brings one along; elsewhere install it from https://nodejs.org.\n',
  );
  process.exit(1);
}
