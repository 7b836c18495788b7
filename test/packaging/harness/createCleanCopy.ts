import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';

/** The project as in a fresh clone: nothing installed, nothing built. */
export interface CleanCopy {
  readonly folder: string;
  /**
   * Runs `line` in a terminal and returns its output. It must exit successfully by itself, unless `until` is given:
   * then Ctrl-C is pressed as soon as this text appears.
   */
  readonly type: (line: string, until?: string) => Promise<string>;
  readonly remove: () => void;
}

const ignored = readFileSync('.gitignore', 'utf8').split('\n').filter(Boolean);
const isIgnored = (file: string): boolean => {
  const name = basename(file);
  return ignored.some((line) =>
    line.startsWith('*')
      ? name.endsWith(line.slice(1))
      : resolve(file).endsWith(`/${line.replace(/\/$/, '')}`),
  );
};

/** A terminal's environment: without the additions of `npm run` and the test runner. */
const terminalEnv = (folder: string): NodeJS.ProcessEnv => {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|INIT_CWD|VITE|NODE_|TEST$|DEV$|PROD$|SSR$|MODE$)/.test(name),
  );
  const path = process.env['PATH']?.split(delimiter).filter((part) => !part.includes('node_modules'));
  return {
    ...Object.fromEntries(kept),
    PATH: path?.join(delimiter),
    VITRINE_DEV_FILE: join(folder, '.vitrine/dev.json'),
    npm_config_prefer_offline: 'true',
  };
};

export const createCleanCopy = (): CleanCopy => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-clean-copy-'));
  const unwanted = (file: string) => basename(file) === '.git' || isIgnored(file);
  cpSync('.', folder, { recursive: true, filter: (file) => !unwanted(file) });

  const endAll: (() => void)[] = [];
  const type = (line: string, until?: string): Promise<string> =>
    new Promise((resolve, reject) => {
      // Its own process group, as a terminal creates one, so that Ctrl-C reaches all of it.
      const child = spawn(line, { cwd: folder, env: terminalEnv(folder), shell: true, detached: true });
      const signal = (name: NodeJS.Signals): void => {
        if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
          process.kill(-child.pid, name);
      };
      endAll.push(() => signal('SIGKILL'));
      let said = '';
      let pressed = false;
      const onData = (chunk: unknown): void => {
        said += String(chunk);
        if (pressed || until === undefined || !said.includes(until)) return;
        pressed = true;
        signal('SIGINT');
      };
      child.stdout.on('data', onData);
      child.stderr.on('data', onData);
      child.once('error', reject);
      child.once('close', (code) => {
        if (until === undefined ? code === 0 : pressed) resolve(said);
        else reject(new Error(`"${line}" ended with ${code}:\n${said}`));
      });
    });
  const remove = (): void => {
    for (const end of endAll) end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  return { folder, type, remove };
};
