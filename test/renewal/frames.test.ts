import { expect, it } from 'vitest';
import { EmbedError } from '../../src/react/lib/errors.ts';
import {
  deriveSnapshot,
  emptyReport,
  type FrameEntry,
  type Report,
  type ReportFacts,
  reduceReport,
} from '../../src/react/lib/frames.ts';

const minute = 60_000;
const createKey = (issuedAt: number) => ({
  src: `https://acme.example/report/1042?ev=${issuedAt}`,
  issuedAt,
  refreshAt: issuedAt + 45 * minute,
  expiresAt: issuedAt + 60 * minute,
});
const first = createKey(0);
const second = createKey(45 * minute);

const createFrame: ReportFacts['createFrame'] = (key, isUrgent): FrameEntry => ({
  id: `frame ${key.issuedAt}`,
  key,
  // Only its attributes are read here.
  control: { props: {} } as FrameEntry['control'],
  openedAt: key.issuedAt,
  openedOn: new Date(key.issuedAt),
  isUrgent,
  status: 'loading',
});

const factsAt = (now: number, activeKey = first, more: Partial<ReportFacts> = {}): ReportFacts => ({
  now,
  options: {},
  session: { activeKey, error: undefined },
  isIdle: false,
  isInUse: false,
  canOpen: () => true,
  createFrame,
  ...more,
});

const look = (report: Report, facts: ReportFacts) => reduceReport(report, { type: 'looked', facts });
const loadLast = (report: Report) => {
  const id = report.frames.at(-1)?.id ?? '';
  return reduceReport(report, { type: 'changed', id, status: 'loaded' });
};
const statusOf = (report: Report, facts: ReportFacts) => deriveSnapshot(report, facts).state.status;
const shown = loadLast(look(emptyReport, factsAt(0)));

it('goes from loading to shown, to a standby, and to the promoted standby', () => {
  const loading = look(emptyReport, factsAt(0));
  expect(statusOf(loading, factsAt(0))).toBe('loading');
  expect(statusOf(shown, factsAt(1))).toBe('ready');
  const now = factsAt(45 * minute + 1_000, second);
  const renewing = look(shown, now);
  expect([renewing.frames.length, statusOf(renewing, now)]).toEqual([2, 'refreshing']);
  const promoted = look(loadLast(renewing), now);
  expect(promoted.frames.map(({ key }) => key)).toEqual([second]);
});

it('keeps a frame in use until 60 seconds before its key ends', () => {
  const renewing = loadLast(look(shown, factsAt(46 * minute, second)));
  const at = (now: number) => look(renewing, factsAt(now, second, { isInUse: true })).frames.length;
  expect([at(59 * minute - 1), at(59 * minute)]).toEqual([2, 1]);
  expect(statusOf(renewing, factsAt(58 * minute, second))).toBe('ready');
});

it('opens no frame while the root has no place on the page', () => {
  const facts = factsAt(0, first, { canOpen: () => false });
  expect(look(emptyReport, facts)).toEqual(emptyReport);
});

it('stays blocked, and is emptied by a refusal', () => {
  const [frame] = shown.frames;
  const blocked = reduceReport(shown, { type: 'changed', id: frame?.id ?? '', status: 'blocked' });
  expect(loadLast(blocked)).toEqual(blocked);
  const session = { activeKey: undefined, error: new EmbedError('report_unavailable') };
  expect(look(shown, factsAt(1, first, { session })).frames).toEqual([]);
});
