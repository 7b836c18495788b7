import { type DoctorCheck, failed, ok, skipped } from '../doctorCheck.ts';
import { attemptKey, statsOf } from '../key/attemptKey.ts';
import { diagnose } from '../key/diagnose.ts';

/** Checks that the portal itself responds. Its single attempt to create a key is the evidence for later checks. */
export const checkApi: DoctorCheck = {
  id: 'api',
  title: 'Portal API',
  run: async (options, evidence) => {
    const { connection } = evidence;
    if (connection === undefined) return skipped('no connection to check');
    if (evidence.unreachable.has(new URL(connection.apiBaseUrl).host))
      return skipped('not checked: the API cannot be reached');
    const attempt = await attemptKey(connection, options);
    evidence.attempt = attempt;
    evidence.finding = await diagnose(attempt, { connection, options });
    if (evidence.finding?.check === 'api') return failed(evidence.finding.detail, evidence.finding.next);
    return ok(`responds within ${Math.ceil(statsOf(attempt)?.durationMs ?? 0)} ms`);
  },
};
