import { Option } from 'commander';
import type { RegisterCommand } from '../../program/addCommand.ts';
import { addCommand, envOption } from '../../program/addCommand.ts';

/** `vitrine conformance`: checks whether a portal conforms to the interface. */
export const registerConformance: RegisterCommand = (program, context) => {
  addCommand(program, context, {
    usage: 'conformance',
    summary: 'Check whether a portal conforms to its interface',
    details: `Checks the portal that the options or VITRINE_BASE_URL, VITRINE_API_BASE_URL, VITRINE_TENANT_URL, VITRINE_TENANT_ID and VITRINE_TENANCY_NAME describe; without any, a portal started for the run. It only reads (GET) unless you allow more; this includes requests with wrong keys.

Secrets come from the environment: VITRINE_API_KEY, VITRINE_PASSPHRASE, VITRINE_API_KEY_WITHOUT_PERMISSIONS, and for a second tenant VITRINE_SECOND_TENANT_URL, VITRINE_SECOND_TENANT_ID, VITRINE_SECOND_TENANCY_NAME, VITRINE_SECOND_API_KEY, VITRINE_SECOND_PASSPHRASE.

Exit codes: 0 the portal conforms to the interface, 2 it differs, 1 the run could not start, or ended before its last check. Differences from our choices where the interface is silent do not count.`,
    options: [
      envOption(),
      new Option('--base-url <url>', 'address of the administration API'),
      new Option('--api-base-url <url>', 'address of CreateEncryptedKey'),
      new Option('--tenant-url <url>', 'address of the report pages'),
      new Option('--tenant-id <number>', 'ID of the tenant'),
      new Option('--tenancy-name <name>', 'subdomain of the tenant'),
      new Option('--tenant-id-header <name>', 'header with the ID of the tenant').default('Svc.TenantId'),
      new Option('--allow-keys', 'also create encrypted keys and open reports with them'),
      new Option(
        '--allow-writes',
        'also create users, roles, units and items, of which only users can be removed again; implies --allow-keys',
      ),
      new Option('--item-id <number>', 'report without row-level security (default: the first found)'),
      new Option('--other-item-id <number>', 'another report (default: the first found)'),
      new Option('--rls-item-id <number>', 'report with row-level security (default: the first found)'),
      new Option('--role-name <code>', 'RLS role (default: the first found)'),
      new Option('--other-role-name <code>', 'RLS role that opens other rows in the report page'),
      new Option(
        '--viewer <userId>',
        'user with rows of their own in the report page, by a rule with USERNAME()',
      ),
      new Option('--directory-group-id <guid>', 'security group with at least one member'),
      new Option(
        '--webhook <file>',
        'JSON file with a captured webhook delivery, to check against section 6.1',
      ),
      new Option('--output <folder>', 'folder for conformance.json and conformance.md').default(
        'conformance-results',
      ),
    ],
    examples: [
      { line: 'vitrine conformance', note: 'only reads from the portal in the environment variables' },
      { line: 'vitrine conformance --allow-keys', note: 'also creates keys and opens reports' },
    ],
    run: async (run) => {
      const { runConformance } = await import('./runConformance.ts');
      await runConformance(run);
    },
  });
};
