import { readdirSync, readFileSync } from 'node:fs';

const statOf = (pid: string): { parent: number; state: string } | undefined => {
  try {
    // The name in parentheses may contain anything; the rest does not.
    const [state = '', parent = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { parent: Number(parent), state };
  } catch {
    return undefined; // it has ended
  }
};

/** A process and all its descendants, according to Linux. */
export const processTree = (root: number): readonly number[] => {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const { parent = 0 } = statOf(pid) ?? {};
    children.set(parent, [...(children.get(parent) ?? []), Number(pid)]);
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
};

/** Whether a process is inactive: it is stopped, or has ended and waits for its parent. */
export const isStill = (pid: number): boolean =>
  ['T', 'Z', 'X', undefined].includes(statOf(String(pid))?.state);
