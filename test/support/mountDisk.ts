import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const run = (...command: readonly string[]) => spawnSync(command[0] ?? '', command.slice(1)).status === 0;

/** Whether this process may mount a disk. */
export const canMount = ((): boolean => {
  const probe = mkdtempSync(join(tmpdir(), 'vitrine-mount-probe-'));
  const isMounted = run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe);
  if (isMounted) run('umount', probe);
  run('rmdir', probe);
  return isMounted;
})();

/** Mounts a small disk for the current test, such as `256k`. Files there must be closed when the test ends. */
export const mountDisk = (size: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-disk-'));
  run('mount', '-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder);
  onTestFinished(() => {
    run('umount', folder);
    run('rmdir', folder);
  });
  const remount = (options: string) => run('mount', '-o', `remount,${options}`, folder);
  return { folder, grow: () => remount('size=16m'), makeReadOnly: () => remount('ro') };
};
