import type { CheckResult } from './runCheck.ts';

/** A run of the checks, for JSON. */
export interface ConformanceRun {
  /** The checked address, without credentials. */
  readonly baseUrl: string;
  readonly tenancyName: string;
  /** ISO 8601 UTC. */
  readonly checkedAt: string;
  readonly counts: Readonly<Record<'interface' | 'choice', OutcomeCounts>>;
  readonly results: readonly CheckResult[];
}

interface OutcomeCounts {
  readonly asExpected: number;
  readonly differs: number;
  readonly notChecked: number;
}

const count = (results: readonly CheckResult[]): OutcomeCounts => {
  const of = (outcome: CheckResult['finding']['outcome']) =>
    results.filter(({ finding }) => finding.outcome === outcome).length;
  return { asExpected: of('as expected'), differs: of('differs'), notChecked: of('not checked') };
};

/** Counts the results of a run. */
export const createConformanceRun = (
  results: readonly CheckResult[],
  about: Pick<ConformanceRun, 'baseUrl' | 'tenancyName' | 'checkedAt'>,
): ConformanceRun => ({
  ...about,
  counts: {
    interface: count(results.filter(({ basis }) => basis === 'interface')),
    choice: count(results.filter(({ basis }) => basis === 'choice')),
  },
  results,
});

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
const row = (...cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

const differences = (results: readonly CheckResult[]): readonly string[] => {
  const rows = results.flatMap(({ title, finding }) =>
    finding.outcome === 'differs' ? [row(title, finding.expected, finding.seen)] : [],
  );
  return rows.length === 0
    ? ['None.']
    : [row('What was checked', 'Expected', 'Seen'), '|---|---|---|', ...rows];
};

/** Groups checks by what they need, so that the results explain it once. */
const notChecked = (results: readonly CheckResult[]): readonly string[] => {
  const titlesByReason = new Map<string, string[]>();
  for (const { title, finding } of results)
    if (finding.outcome === 'not checked')
      titlesByReason.set(finding.reason, [...(titlesByReason.get(finding.reason) ?? []), title]);
  if (titlesByReason.size === 0) return ['Nothing.'];
  return [...titlesByReason].flatMap(([reason, titles], index) => [
    ...(index === 0 ? [] : ['']),
    `### ${titles.length} ${titles.length === 1 ? 'check' : 'checks'}: ${reason}`,
    '',
    ...titles.map((title) => `- ${title}`),
  ]);
};

const summary = (name: string, { asExpected, differs, notChecked }: OutcomeCounts): string =>
  row(name, String(asExpected), String(differs), String(notChecked));

/** The run as Markdown: differences first, those from the interface separate from those from our choices. */
export const conformanceMarkdown = (run: ConformanceRun): string => {
  const of = (basis: CheckResult['basis']) => run.results.filter((result) => result.basis === basis);
  return [
    `# Conformance of ${run.baseUrl} (tenant ${run.tenancyName})`,
    '',
    `Checked at ${run.checkedAt}.`,
    '',
    row('Expectation', 'As expected', 'Differs', 'Not checked'),
    '|---|---|---|---|',
    summary('Stated by the interface', run.counts.interface),
    summary('Our choice where the interface is silent', run.counts.choice),
    '',
    '## Differences from what the interface states',
    '',
    ...differences(of('interface')),
    '',
    '## Differences from our choices (the service is free to choose otherwise)',
    '',
    ...differences(of('choice')),
    '',
    '## Not checked',
    '',
    ...notChecked(run.results),
    '',
  ].join('\n');
};
