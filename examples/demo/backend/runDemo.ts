import { fileURLToPath } from 'node:url';
import { createDemo, type Demo } from './createDemo.ts';
import { writeDevFile } from './devFile.ts';
import { instructions } from './instructions.ts';

const defaultDemoPort = 4300;
const defaultPortalPort = 4310;
const usualDevFile = fileURLToPath(new URL('../../../.vitrine/dev.json', import.meta.url));

/** A signal to npm alone kills the shell between npm and this process, which only detects it in this way. */
const onParentGone = (then: () => void) => {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    then();
  }, 500);
  watch.unref();
};

const contentOf = ({ demoUrl, tenant }: Demo) => {
  const { tenantUrl, apiBaseUrl, baseUrl, tenantId, tenancyName, apiKey, passPhrase, roleNames } = tenant;
  return {
    demoUrl,
    portal: { tenantUrl, apiBaseUrl, baseUrl, tenantId, tenancyName, apiKey, passPhrase },
    exampleRoleNames: roleNames,
  };
};

/** Runs the demo until the process is told to stop, and cleans up. */
export const runDemo = async (): Promise<void> => {
  const demo = await createDemo({ demoPort: defaultDemoPort, portalPort: defaultPortalPort });
  // A test of this program uses another file, so as not to change that of a running demo.
  const removeDevFile = writeDevFile(process.env['VITRINE_DEV_FILE'] ?? usualDevFile, contentOf(demo));
  process.on('exit', removeDevFile);

  const end = () => {
    process.once('SIGINT', () => process.exit(130)); // a second Ctrl-C does not wait
    process.stdout.write('\n  Closing the demo.\n');
    demo.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  if (process.env['npm_lifecycle_event'] !== undefined) onParentGone(end);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);

  process.stdout.write(
    instructions(demo, { demoPort: defaultDemoPort, portalPort: defaultPortalPort }, process.uptime() * 1000),
  );
};
