import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

/** A terminal in a folder outside our workspace. */
export type Terminal = ReturnType<typeof createTerminal>;

/** The environment of this run without the additions of `npm run` and the test runner for our own workspace. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(npm_(package|lifecycle|config_local_prefix|command)|INIT_CWD|VITE|VITRINE|NODE_(ENV|OPTIONS|COMPILE_CACHE)|TEST$|DEV$|PROD$|SSR$|MODE$)/.test(
          name,
        ),
    ),
  ),
  PATH: [dirname(process.execPath), ...(process.env['PATH'] ?? '').split(delimiter)]
    .filter((part, index) => index === 0 || !part.includes('node_modules'))
    .join(delimiter),
  NO_COLOR: '1',
});

/** `more` is added to its environment. */
export const createTerminal = (folder: string, more: Readonly<Record<string, string>> = {}) => {
  const env = { ...environment(), ...more };
  const ends: (() => void)[] = [];
  /** Resolves with the output of a successful command, or at once with what matches `pattern` in it. */
  const type = (line: string, pattern?: RegExp, extra: Readonly<Record<string, string>> = {}) =>
    new Promise<string>((resolve, reject) => {
      // Its own process group, as a terminal creates one, so that all of it ends together.
      const child = spawn(line, { cwd: folder, env: { ...env, ...extra }, shell: true, detached: true });
      ends.push(() => {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          said += String(chunk);
          const [match] = pattern?.exec(said) ?? [];
          if (match !== undefined) resolve(match);
        });
      if (pattern === undefined) child.stdin.end();
      child.once('close', (code) =>
        code === 0 && pattern === undefined
          ? resolve(said)
          : reject(new Error(`"${line}" ended with ${code}:\n${said}`)),
      );
    });
  return {
    /** Runs a command and returns its output. It must exit successfully. */
    run: (line: string) => type(line),
    /**
     * Runs a command that keeps running, with more variables in its environment, and returns what matches `pattern` in its
     * output.
     */
    start: type,
    close: () => {
      for (const end of ends) end();
    },
  };
};
