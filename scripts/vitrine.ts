/**
 * `npm run vitrine -- …`: the command line from source. npm runs scripts in the root of the project; relative paths
 * resolve from the caller's folder.
 */
import { chdir, cwd, env } from 'node:process';

chdir(env['INIT_CWD'] ?? cwd());
// Import after the change of folder: it reads files from the working directory.
await import('../src/cli/lib/bin.ts');
