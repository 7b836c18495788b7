/** What to try, in order, on a machine without a Chromium. */
export interface InstallStep {
  readonly title: string;
  readonly command: readonly [string, ...string[]];
  readonly timeoutMs: number;
}

const minuteMs = 60_000;

const playwrightStep: InstallStep = {
  title: "Playwright's download",
  command: ['npx', 'playwright', 'install', 'chromium'],
  timeoutMs: 5 * minuteMs,
};

const debianSteps: readonly InstallStep[] = [
  {
    title: "the refresh of Debian's package list",
    command: ['apt-get', 'update', '-qq'],
    timeoutMs: 2 * minuteMs,
  },
  {
    title: "Debian's package",
    command: ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium'],
    timeoutMs: 5 * minuteMs,
  },
];

export interface InstallEdges {
  readonly find: () => string | undefined;
  /** Runs a command to its end; false when it failed or took too long. */
  readonly run: (step: InstallStep) => boolean;
  readonly say: (line: string) => void;
  readonly mayUseApt: boolean;
}

/** Finds a Chromium, or installs one; undefined when neither worked. */
export const ensureBrowser = ({ find, run, say, mayUseApt }: InstallEdges): string | undefined => {
  const present = find();
  if (present !== undefined) return present;
  for (const step of [playwrightStep, ...(mayUseApt ? debianSteps : [])]) {
    say(`No Chromium on this machine; trying ${step.title} ...`);
    const found = run(step) ? find() : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
};
