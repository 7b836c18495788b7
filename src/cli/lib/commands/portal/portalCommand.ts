import { Option } from 'commander';
import { type CommandSpec, yesOption } from '../../program/addCommand.ts';

/** `vitrine portal` and `vitrine portal export`. */
export const portalCommand: Omit<CommandSpec, 'summary'> = {
  usage: 'portal',
  options: [
    new Option('--port <number>', 'port to listen on; auto chooses a free one').default('4460'),
    new Option('--host <address>', 'address to bind').default('127.0.0.1'),
    new Option('--public-url <origin>', 'public address of the API and the console'),
    new Option('--tenant-url-template <origin>', "tenants' origins: 'http://{tenant}.portal.test:4460'"),
    new Option('--developer-hints', 'show hints on error pages even if others can reach the portal'),
    new Option('--write-env <file>', "write a tenant's variables into this .env file, and keep other lines"),
    new Option('--run <command>', "run a program with a tenant's variables; the portal stops when it ends"),
    new Option('--tenant <name>', 'tenant for --write-env and --run (default: the first)'),
    new Option('--database <address>', ':memory:, a file, or postgres://…').default(':memory:'),
    new Option('--seed <file>', 'YAML or JSON file with the initial data of an empty database'),
    new Option('--action-target <url>', 'webhook of your host app that receives clicks in reports'),
  ],
  examples: [
    {
      line: 'vitrine portal --port auto --write-env .env.local --run "node --version"',
      note: 'a program with the variables of the first tenant',
    },
  ],
  run: async (run) => (await import('./runPortal.ts')).runPortal(run),
  commands: [
    {
      usage: 'export <file>',
      summary: "Write a running portal's state as a YAML or JSON seed file, without secrets",
      options: [
        new Option('--url <url>', 'address of the portal').default('http://127.0.0.1:4460'),
        yesOption('replace an existing file without asking'),
      ],
      examples: [
        {
          line: 'vitrine portal export acme.seed.json --url http://127.0.0.1:4460',
          note: 'to start another portal with the same data',
        },
      ],
      run: async (run) => (await import('./exportState.ts')).exportState(run),
    },
  ],
};
