import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Io } from '../../io.ts';

/** How long a program may take to shut down. Less than the 10 seconds after which Docker kills the portal itself. */
const graceMs = 5_000;
/** When the portal says that it waits. Most programs have ended by then. */
const noticeMs = 2_000;
/** How long a program that ignored Ctrl-C may take after SIGTERM. */
const lastChanceMs = 1_000;
/** Two signals within this time are one press of Ctrl-C. */
const samePressMs = 300;

/** Signals processes, or groups by negative numbers, and says whether there is one left. */
const send = (targets: readonly number[], signal: NodeJS.Signals | 0): boolean =>
  targets.filter((target) => {
    try {
      return process.kill(target, signal);
    } catch {
      return false;
    }
  }).length > 0;

/** A process and all that it started. */
const treeOf = (root: number): readonly number[] => {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = (stdout ?? '').split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const tree = [root];
  for (const parent of tree)
    for (const [pid, ppid] of rows) if (pid !== undefined && ppid === parent) tree.push(pid);
  return tree;
};

/** Waits until nothing is left of processes, at most for a time. */
const waitForEnd = async (
  targets: readonly number[],
  maxMs: number,
  isCanceled: (elapsedMs: number) => boolean = () => false,
): Promise<void> => {
  const startMs = performance.now();
  for (;;) {
    const elapsedMs = performance.now() - startMs;
    if (elapsedMs >= maxMs || isCanceled(elapsedMs) || !send(targets, 0)) return;
    await wait(20);
  }
};

const terminate = async (
  targets: readonly number[],
  signal: NodeJS.Signals,
  maxMs = graceMs,
): Promise<void> => {
  send(targets, signal);
  await waitForEnd(targets, maxMs);
  send(targets, 'SIGKILL');
};

/** Waits for a program that the terminal has told to stop too, and stops it if it continues. */
const stopOnTerminal = async (pid: number, { stderr, stoppedBy }: Io): Promise<void> => {
  let presses = 0;
  let lastMs = performance.now();
  // Also without effect until the end: by default, another Ctrl-C would end the portal without its program.
  const onPress = () => {
    // npm passes on the signal that the terminal has sent already.
    if (performance.now() - lastMs > samePressMs) presses += 1;
    lastMs = performance.now();
  };
  process.on('SIGINT', onPress);
  try {
    let isAnnounced = stoppedBy?.() !== 'SIGINT';
    await waitForEnd([pid], graceMs, (elapsedMs) => {
      if (!isAnnounced && elapsedMs > noticeMs) {
        isAnnounced = true;
        stderr.write(
          `Waiting for the program to shut down, at most ${(graceMs - noticeMs) / 1000} s more. Press Ctrl-C again to stop it now.\n`,
        );
      }
      return presses > 0;
    });
    if (!send([pid], 0)) return;
    stderr.write('Stopping the program.\n');
    await terminate(treeOf(pid), 'SIGTERM', lastChanceMs);
  } finally {
    process.off('SIGINT', onPress);
  }
};

/**
 * Stops a program with all processes that it started, and waits for their end. A program without a terminal is the
 * leader of its own group.
 */
export const stopProgram = async (pid: number, io: Io): Promise<void> => {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  const signal = io.stoppedBy?.() ?? 'SIGTERM';
  if (io.stdin.isTTY !== true) await terminate([-pid], signal);
  else if (signal === 'SIGTERM') await terminate(treeOf(pid), signal);
  // The terminal sends Ctrl-C and its own end to the program too. A second signal would end it without its shutdown.
  else await stopOnTerminal(pid, io);
};
