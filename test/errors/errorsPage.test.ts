import { documentationUrl } from '@vitrine/contract';
import { expect, it } from 'vitest';
import { repositoryFileUrl } from '../../scripts/packageMetadata.ts';
import {
  type ErrorAdvice,
  errorAdvice,
  httpStatusAdvice,
  statusAdvice,
} from '../../src/react/lib/development/errorAdvice.ts';
import type { EmbedErrorRetry } from '../../src/react/lib/errors.ts';
import { EmbedError } from '../../src/react/lib/errors.ts';

const retries: Readonly<Record<EmbedErrorRetry, string>> = {
  automatic: 'yes, automatically, with growing delays',
  manual: 'when the viewer asks for it',
  never: 'no: change a setting or the code',
};

const section = (anchor: string, code: string, { title, cause, hint }: ErrorAdvice): string => {
  const { kind, retry } = new EmbedError(code);
  return `<a id="${anchor}"></a>

## \`${code}\`

${title}

- **Likely cause:** ${cause}
- **What to do:** ${hint}
- **Retried:** ${retries[retry]}
- **The viewer reads:** the label \`${kind}\`
`.replaceAll(/<(?!a |\/a)(?![^`\n]*`)/g, '&lt;');
};

/** The page of all error codes. */
const errorsPage = (): string => `# Errors

Every code that a report can fail with: \`error.code\`, and \`data-code\` on the root element of the report. The \`requestId\` of an
error also appears in the backend's log, in the line with the problem. \`report_unavailable\` has no request ID.
By symptom: [Troubleshooting](guides/troubleshooting.md).

${Object.entries(errorAdvice)
  .map(([code, advice]) => section(code, code, advice))
  .join('\n')}
${section('http_status', 'http_<status>', httpStatusAdvice)}With 401 the label is \`signed_out\`, with 429 \`rate_limited\`. Some statuses say more:

${[...Map.groupBy(Object.keys(statusAdvice), (code) => statusAdvice[code] ?? httpStatusAdvice)]
  .map(([{ title, cause, hint }, codes]) => `- \`${codes.join('`, `')}\`: ${title} ${cause} ${hint}`)
  .join('\n')}
`;

it('docs/errors.md matches the tables in the code', async () => {
  await expect(errorsPage()).toMatchFileSnapshot('../../docs/errors.md');
});

it('links to the pages use the repository URL of the packages', () => {
  expect(documentationUrl).toBe(repositoryFileUrl('docs'));
});
