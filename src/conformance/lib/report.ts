import type { CheckResult } from './run.ts';

/** A run of the checks, for JSON. */
export interface ConformanceRun {
  /** The checked address, without credentials. */
  readonly baseUrl: string;
  readonly tenancyName: string;
  /** ISO 8601 UTC. */
  readonly checkedAt: string;
  readonly results: readonly CheckResult[];
}

/** The results with an outcome. */
export const resultsWith = (
  { results }: Pick<ConformanceRun, 'results'>,
  outcome: CheckResult['finding']['outcome'],
): readonly CheckResult[] => results.filter(({ finding }) => finding.outcome === outcome);

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const differences = (run: ConformanceRun): readonly string[] => {
  const entries = run.results.flatMap(({ title, quote, finding }) =>
    finding.outcome === 'differs'
      ? [
          `### ${title}\n\n> ${oneLine(quote)}\n`,
          `- Expected: ${oneLine(finding.expected)}`,
          `- Seen: ${oneLine(finding.seen)}\n`,
        ]
      : [],
  );
  return entries.length === 0 ? ['None.\n'] : entries;
};

/** Groups checks by what they need, so that the results explain it once. */
const notChecked = ({ results }: ConformanceRun): readonly string[] => {
  const titles = Map.groupBy(results, ({ finding }) => ('reason' in finding ? finding.reason : undefined));
  titles.delete(undefined);
  if (titles.size === 0) return ['Nothing.'];
  return [...titles].flatMap(([reason = '', group], index) => [
    ...(index === 0 ? [] : ['']),
    `### ${group.length} ${group.length === 1 ? 'check' : 'checks'}: ${reason}`,
    '',
    ...group.map(({ title }) => `- ${title}`),
  ]);
};

/** The run as Markdown: differences first, and at the end what was not checked and what that needs. */
export const conformanceMarkdown = (run: ConformanceRun): string =>
  [
    `# Conformance of ${run.baseUrl} (tenant ${run.tenancyName})`,
    '',
    `Checked at ${run.checkedAt}: ${resultsWith(run, 'as expected').length} as expected, ${resultsWith(run, 'differs').length} different, ${resultsWith(run, 'not checked').length} not checked.`,
    '',
    '## Differences',
    '',
    ...differences(run),
    '## Not checked',
    '',
    ...notChecked(run),
    '',
  ].join('\n');
