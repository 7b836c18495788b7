import { type Check, type DoctorLine, type DoctorOptions, skipped } from './check.ts';
import { configurationChecks, readConfiguration } from './configuration.ts';
import { diagnose, requestKey } from './diagnose.ts';
import { keyChecks } from './keyChecks.ts';
import { openPage, pageChecks } from './reportPage.ts';

const linesOf = <TSeen>(checks: readonly Check<TSeen>[], seen: TSeen): readonly DoctorLine[] =>
  checks.map(([id, title, read]) => ({ id, title, ...read(seen) }));

/** Probes the configuration, the API and the report page, and yields the lines of each as soon as they are known. */
export async function* runDoctor(options: DoctorOptions): AsyncGenerator<DoctorLine> {
  const configuration = readConfiguration(options);
  yield* linesOf(configurationChecks, configuration);
  const { connection } = configuration;
  if (connection === undefined) {
    for (const [id, title] of [...keyChecks, ...pageChecks])
      yield { id, title, ...skipped('no connection to check') };
    return;
  }
  const request = await requestKey(connection, options);
  yield* linesOf(keyChecks, { ...request, finding: await diagnose(request) });
  yield* linesOf(pageChecks, await openPage(request));
}
