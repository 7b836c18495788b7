/**
 * `npm run vitrine -- …`: the command line from source. npm starts every script in the project's folder; a file that is
 * named without its folder is one of the folder the caller stands in.
 */
import { chdir, cwd, env } from 'node:process';

chdir(env['INIT_CWD'] ?? cwd());
// Loaded only now: what it reads from its folder, it reads from the caller's.
await import('../src/cli/lib/bin.ts');
