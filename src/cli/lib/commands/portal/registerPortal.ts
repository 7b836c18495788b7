import { InvalidArgumentError } from 'commander';
import { hideInherited, type RegisterCommand } from '../../program/addCommand.ts';
import type { ExportOptions } from './exportState.ts';
import type { PortalCommandOptions } from './runPortal.ts';

const readPort = (text: string): number | 'auto' => {
  if (text === 'auto') return text;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('It must be a port from 1 to 65535, or auto for a free one.');
  return port;
};

/** `vitrine portal` and `vitrine portal export`. */
export const registerPortal: RegisterCommand = (program, context) => {
  const portal = program
    .command('portal')
    .description('Run a complete portal on this machine: API, report pages, webhooks, console.')
    .option('--port <number>', 'port to listen on; auto chooses a free one', readPort, 4460)
    .option('--host <address>', 'address to bind', '127.0.0.1')
    .option('--public-url <origin>', 'public address of the API and the console')
    .option(
      '--tenant-url-template <origin>',
      "tenants' origins, such as 'http://{tenant}.portal.test:4460' (default: *.localhost)",
    )
    .option('--developer-hints', 'show hints on error pages even if others can reach the portal')
    .option(
      '--write-env <file>',
      "write a tenant's variables into this .env file; other lines stay unchanged",
    )
    .option('--run <command>', "run a program with a tenant's variables; the portal stops when it ends")
    .option('--tenant <name>', 'tenant for --write-env and --run (default: the first)')
    .option('--database <address>', ':memory:, a file, or postgres://…', ':memory:')
    .option('--seed <file>', 'YAML or JSON file with the initial data of an empty database')
    .option('--action-target <url>', 'webhook of your host app that receives clicks in reports')
    .action(async (options: PortalCommandOptions) =>
      (await import('./runPortal.ts')).runPortal(options, context),
    );
  const exporting = portal
    .command('export')
    .description("Write a portal's state as a seed file, without secrets.")
    .argument('<file>', 'YAML or JSON file')
    .option('--url <url>', 'address of a running portal')
    .option('--database <address>', 'database of a stopped portal: a file or postgres://…')
    .option('-y, --yes', 'replace an existing file without asking')
    .action(async (file: string, options: ExportOptions, command: { optsWithGlobals(): ExportOptions }) => {
      const { exportState } = await import('./exportState.ts');
      await exportState(file, { ...options, ...givenDatabase(command) }, context);
    });
  // The options of a portal that runs.
  hideInherited(
    exporting,
    portal.options.map((option) => option.attributeName()),
  );
};

/** `--database` may come before or after `export`; the default of the parent command does not count as given. */
const givenDatabase = (command: { optsWithGlobals(): ExportOptions }): ExportOptions => {
  const { database } = command.optsWithGlobals();
  return database === undefined || database === ':memory:' ? {} : { database };
};
