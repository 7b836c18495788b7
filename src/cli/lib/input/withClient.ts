import type { PortalClient } from '@vitrine/portal-client';
import type { BaseUrl } from '../output/portalErrorText.ts';
import { UsageError } from '../output/usageError.ts';
import type { Run } from '../program/addCommand.ts';
import { isOn, numberOption } from '../program/readOptions.ts';
import { readApiKey, secretsIn } from './readApiKey.ts';
import { readBaseUrl } from './readBaseUrl.ts';

/** Describes an error of the portal in terms of this command. */
const inTermsOf = async (error: unknown, baseUrl: BaseUrl): Promise<unknown> => {
  const { isPortalError } = await import('@vitrine/portal-client');
  if (!isPortalError(error) || error.kind === 'aborted') return error;
  const { portalErrorText } = await import('../output/portalErrorText.ts');
  return new UsageError(portalErrorText(error, baseUrl), { cause: error });
};

/** Runs work with a client of the portal, and closes it afterward. */
export const withClient = async (run: Run, work: (client: PortalClient) => Promise<void>): Promise<void> => {
  const { options } = run;
  const baseUrl = await readBaseUrl(run);
  const timeoutSeconds = numberOption(options, 'timeout', 0.001, 2_147_483);
  const { createPortalClient, rememberSecret } = await import('@vitrine/portal-client');
  for (const secret of secretsIn(run.io.env)) rememberSecret(secret);
  const apiKey = await readApiKey(run);
  let client: PortalClient | undefined;
  try {
    client = createPortalClient({
      baseUrl: baseUrl.url,
      apiKey,
      readOnly: isOn(options, 'readOnly'),
      ...(timeoutSeconds !== undefined && { timeoutMs: Math.ceil(timeoutSeconds * 1000) }),
    });
    await work(client);
  } catch (error) {
    throw await inTermsOf(error, baseUrl);
  } finally {
    await client?.close();
  }
};
