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

/** The run as Markdown: differences first, and at the end what was not checked and what that needs. */
export const conformanceMarkdown = (run: ConformanceRun): string => {
  const differences = run.results.flatMap(({ title, quote, finding }) =>
    finding.outcome === 'differs'
      ? `### ${title}\n\n> ${oneLine(quote)}\n\n- Expected: ${oneLine(finding.expected)}\n- Seen: ${oneLine(finding.seen)}\n`
      : [],
  );
  const unchecked = resultsWith(run, 'not checked');
  // By what they need, so that the results explain it once.
  const groups = Map.groupBy(unchecked, ({ finding }) => ('reason' in finding ? finding.reason : ''));
  const needs = [...groups].map(
    ([reason, group]) =>
      `### ${group.length} ${group.length === 1 ? 'check' : 'checks'}: ${reason}\n\n${group.map(({ title }) => `- ${title}\n`).join('')}`,
  );
  return `# Conformance of ${run.baseUrl} (tenant ${run.tenancyName})

Checked at ${run.checkedAt}: ${resultsWith(run, 'as expected').length} as expected, ${differences.length} different, ${unchecked.length} not checked.

## Differences

${differences.join('\n') || 'None.\n'}
## Not checked

${needs.join('\n') || 'Nothing.\n'}`;
};
