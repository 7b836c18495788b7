import { createFetchHandler } from '@vitrine/server';
import { runDoctor } from '../../src/cli/lib/doctor/runDoctor.ts';
import { keyRequest, viewerByHeader } from './keyRequest.ts';
import type { PortalMode, RunningMode } from './portalModes.ts';
import { recordLog } from './recordLog.ts';

/** The visible behavior of one mode: a row of `docs/portal-modes.md`. */
export interface ModeRow {
  readonly mode: string;
  /** Status and code for the browser. */
  readonly answer: string;
  /** Level and problem of the first log line. */
  readonly log: string;
  /** The hint in that line. */
  readonly hint: string;
  /** The first advice of vitrine doctor. */
  readonly doctor: string;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const askHost = async ({ connection, upstream, itemId }: RunningMode) => {
  const logger = recordLog();
  const handler = createFetchHandler({
    portal: connection,
    viewer: viewerByHeader,
    canView: () => true,
    rateLimit: { perViewer: { points: 10, durationSeconds: 60 } },
    upstream,
    logger,
  });
  try {
    const response = await handler(keyRequest(itemId));
    const { code } = (await response.json()) as { code?: string }; // a problem document, or a key
    // A setting that is odd in every mode, for the stand-in has no host name of its own, says nothing about the mode.
    const line = logger.lines.find(
      ({ level, fields }) =>
        level !== 'debug' &&
        !('see' in fields && fields['code'] === 'tenancy_name_differs') &&
        !('endpoint' in fields),
    );
    return {
      answer: code === undefined ? String(response.status) : `${response.status} \`${code}\``,
      log: line === undefined ? '' : `${line.level}: ${textOf(line.fields['problem']) ?? line.message}`,
      hint: textOf(line?.fields['hint']) ?? '',
    };
  } finally {
    await handler.close();
  }
};

/** The first advice that vitrine doctor prints, or that it has none. */
const askDoctor = async ({ connection, itemId }: RunningMode): Promise<string> => {
  const env = {
    VITRINE_TENANT_URL: connection.tenantUrl,
    VITRINE_API_BASE_URL: connection.apiBaseUrl,
    VITRINE_TENANT_ID: String(connection.tenantId),
    VITRINE_TENANCY_NAME: connection.tenancyName,
    VITRINE_API_KEY: connection.apiKey,
    VITRINE_PASSPHRASE: connection.passPhrase,
  };
  const wishes = {
    env,
    isDev: false,
    itemId,
    userId: 'north.manager@acme.example',
    roleNames: [],
    origin: undefined,
    now: Date.now,
    timeoutMs: 500,
  };
  for await (const { status, next } of runDoctor(wishes))
    if (status !== 'ok' && next !== undefined) return next;
  return '';
};

/** Ports and times differ between runs. */
const settled = (text: string): string =>
  text.replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:port').replace(/\d{3} seconds/g, 'about 600 seconds');

/** Starts a mode, queries a host and vitrine doctor, and stops it. */
export const observeMode = async ({ name, start }: PortalMode): Promise<ModeRow> => {
  const running = await start();
  try {
    const { answer, log, hint } = await askHost(running);
    const doctor = await askDoctor(running);
    return { mode: name, answer, log: settled(log), hint: settled(hint), doctor: settled(doctor) };
  } finally {
    await running.close();
  }
};

const cell = (text: string): string => (text === '' ? '–' : text.replaceAll('|', '\\|'));

/**
 * Log line and hint name options, and vitrine doctor names variables; if that is the only difference, the advice is not
 * repeated.
 */
const adviceOf = ({ hint, doctor }: ModeRow): string =>
  doctor !== '' && doctor.replaceAll('VITRINE_API_BASE_URL', 'apiBaseUrl') === hint ? 'The same.' : doctor;

const logOf = ({ log, hint }: ModeRow): string => (hint === '' ? log : `${log}<br>→ ${hint}`);

/** The page of all modes. */
export const portalModesPage = (rows: readonly ModeRow[]): string => `# Portal modes

What your users, your log and \`vitrine doctor\` show when the portal, or the network in front of it, misbehaves.

- **Browser**: status and code of the response to a key request. [Errors](errors.md) says what users see of each code.
- **Log**: level and problem of the first line, and its hint after →.
- **Doctor**: the first advice of \`vitrine doctor --item\`. It names variables where the hint names options.

A test starts each mode behind real sockets and writes this page.

| What is wrong | Browser | Log | Doctor |
|---|---|---|---|
${rows.map((row) => `| ${[row.mode, row.answer, logOf(row), adviceOf(row)].map(cell).join(' | ')} |`).join('\n')}
`;
