/** One way to install a browser. */
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

const installCommand = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends'] as const;

const debianSteps: readonly InstallStep[] = [
  {
    title: "the refresh of Debian's package list",
    command: ['apt-get', 'update', '-qq'],
    timeoutMs: 2 * minuteMs,
  },
  {
    title: "Debian's package",
    command: [...installCommand, 'chromium'],
    timeoutMs: 5 * minuteMs,
  },
];

export interface InstallEdges {
  readonly find: () => string | undefined;
  /** Runs a command to its end; false if it fails or times out. */
  readonly run: (step: InstallStep) => boolean;
  readonly say: (line: string) => void;
  readonly mayUseApt: boolean;
}

/** Tries to install Debian's headless shell alongside Debian's Chromium. The tests also run without it. */
export const ensureHeadlessShell = (
  { find, run, say, mayUseApt }: InstallEdges,
  chromiumVersion: string | undefined,
): void => {
  if (!mayUseApt || chromiumVersion === undefined || find() !== undefined) return;
  say('Installing chromium-headless-shell, which halves the time of the tests ...');
  run({
    title: "Debian's headless shell",
    // The same version, so that no other package changes.
    command: [...installCommand, `chromium-headless-shell=${chromiumVersion}`],
    timeoutMs: minuteMs,
  });
};

/** Finds or installs a Chromium; undefined if neither works. */
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
