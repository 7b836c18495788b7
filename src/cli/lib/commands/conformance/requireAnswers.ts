import { send, type Target } from '@vitrine/conformance';
import { UsageError } from '../../output/usageError.ts';

/** Throws a {@link UsageError} unless something answers at each address that the checks use, whatever it answers. */
export const requireAnswers = async (target: Target, signal: AbortSignal): Promise<void> => {
  const usesKeys = target.permits.has('mint');
  const optionsByOrigin = new Map(
    Object.entries({
      ...(usesKeys && { '--tenant-url': target.tenantUrl, '--api-base-url': target.apiBaseUrl }),
      '--base-url': target.baseUrl,
    }).map(([option, url]) => [new URL(url).origin, option]),
  );
  for (const [origin, option] of optionsByOrigin)
    await send({ method: 'GET', url: origin, signal }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UsageError(
        `No portal responds at ${origin} (${reason}). Check ${option} and that the portal runs.`,
        { cause: error },
      );
    });
};
