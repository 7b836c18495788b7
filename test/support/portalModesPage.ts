import { createFetchHandler } from '@vitrine/server';
import { keyRequest, viewerByHeader } from './keyRequest.ts';
import type { PortalMode, RunningMode } from './portalModes.ts';
import { recordLog } from './recordLog.ts';

/** The visible behavior of one mode: a row of `docs/portal-modes.md`. */
export interface ModeRow {
  readonly mode: string;
  /** Status and code for the browser. */
  readonly answer: string;
  /** The problem of the first log line. */
  readonly log: string;
  /** The hint in that line. */
  readonly hint: string;
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
    const line = logger.lines.find(({ level }) => level !== 'debug');
    return {
      answer: code === undefined ? String(response.status) : `${response.status} \`${code}\``,
      log: line === undefined ? '' : (textOf(line.fields['problem']) ?? line.message),
      hint: textOf(line?.fields['hint']) ?? '',
    };
  } finally {
    await handler.close();
  }
};

/** Ports and times differ between runs. */
const settled = (text: string): string =>
  text.replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:port').replace(/\d{3} seconds/g, 'about 600 seconds');

/** Starts a mode, queries a host, and stops it. */
export const observeMode = async ({ name, start }: PortalMode): Promise<ModeRow> => {
  const running = await start();
  try {
    const { answer, log, hint } = await askHost(running);
    return { mode: name, answer, log: settled(log), hint: settled(hint) };
  } finally {
    await running.close();
  }
};

const cell = (text: string): string => (text === '' ? '–' : text.replaceAll('|', '\\|'));

/** The page of all modes. */
export const portalModesPage = (rows: readonly ModeRow[]): string => `# Portal modes

What your users and your log show when the portal, or the network in front of it, misbehaves. \`vitrine doctor --item\` gives the same
advice, with the names of variables. [Errors](errors.md) says what users see of each code.

A test starts each mode behind real sockets and writes this page.

| What is wrong | Browser | Log | Hint in the log |
|---|---|---|---|
${rows.map(({ mode, answer, log, hint }) => `| ${[mode, answer, log, hint].map(cell).join(' | ')} |`).join('\n')}
`;
