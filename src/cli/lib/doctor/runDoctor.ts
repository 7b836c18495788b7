import { type Check, type DoctorLine, type DoctorOptions, skipped } from './check.ts';
import { readConfiguration } from './configuration.ts';
import { examine } from './diagnose.ts';
import { keyChecks } from './keyChecks.ts';
import { openPage, pageChecks } from './reportPage.ts';

async function* linesOf<TSeen>(checks: readonly Check<TSeen>[], seen: TSeen): AsyncGenerator<DoctorLine> {
  for (const [id, title, read] of checks) yield { id, title, ...(await read(seen)) };
}

/** Probes the configuration, the API and the report page, and yields the lines of each as soon as they are known. */
export async function* runDoctor(options: DoctorOptions): AsyncGenerator<DoctorLine> {
  const { variables, values, connection } = readConfiguration(options);
  yield { id: 'variables', title: 'Variables', ...variables };
  yield { id: 'values', title: 'Values', ...values };
  if (connection === undefined) {
    for (const [id, title] of [...keyChecks, ...pageChecks])
      yield { id, title, ...skipped('no connection to check') };
    return;
  }
  const request = await examine(connection, options);
  yield* linesOf(keyChecks, request);
  yield* linesOf(pageChecks, await openPage(request));
}
